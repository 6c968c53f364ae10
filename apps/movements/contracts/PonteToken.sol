// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token that Ponte issues against reais in its reserve (BRLV, BRLY). No upgrade, no pause, no seizure:
/// supply grows only through MINTER_ROLE and shrinks only when a BURNER_ROLE burns what it holds itself.
contract PonteToken is ERC20, AccessControl {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    bytes32 public constant BURNER_ROLE = keccak256("BURNER_ROLE");

    uint8 private immutable _decimals;

    /// @param minter the contract that may mint from the start, so that no second transaction has to grant it
    /// @param burner the custody contract, which burns what is redeemed from the wallets of customers
    constructor(string memory name_, string memory symbol_, uint8 decimals_, address admin, address minter, address burner)
        ERC20(name_, symbol_)
    {
        _decimals = decimals_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(MINTER_ROLE, minter);
        _grantRole(BURNER_ROLE, burner);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }

    /// Burns the caller's own tokens. Nobody's role reaches into another wallet.
    function burn(uint256 amount) external onlyRole(BURNER_ROLE) {
        _burn(_msgSender(), amount);
    }
}
