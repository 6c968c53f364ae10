// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Stands in for USDC and USDT on a local chain, where nobody else issues them. Never deployed on a public chain.
contract TestStable is ERC20, Ownable {
    uint8 private immutable _decimals;

    /// @param issuer may issue more, and gets a first supply of its own to pay deposits from
    /// @param holder the treasury wallet, which gets as much to pay customers from
    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        address issuer,
        address holder,
        uint256 supply
    )
        ERC20(name_, symbol_)
        Ownable(issuer)
    {
        _decimals = decimals_;
        _mint(issuer, supply);
        _mint(holder, supply);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}
