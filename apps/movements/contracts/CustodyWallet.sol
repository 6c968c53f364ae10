// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";

/// What a customer's wallet runs. Every wallet is a minimal proxy of the one instance that its custody contract deployed,
/// so the code cannot change, and only that custody contract can move what a wallet holds.
contract CustodyWallet is ERC721Holder {
    using SafeERC20 for IERC20;

    /// In the code and not in storage, so that every proxy has it without being initialised.
    address public immutable custody;

    error NotCustody(address caller);

    modifier onlyCustody() {
        if (msg.sender != custody) revert NotCustody(msg.sender);
        _;
    }

    constructor(address custody_) {
        custody = custody_;
    }

    function sendToken(IERC20 token, address to, uint256 amount) external onlyCustody {
        token.safeTransfer(to, amount);
    }

    /// A receiver that is a contract must accept the token (ERC-721 `onERC721Received`), or the whole call reverts.
    function sendNft(IERC721 token, address to, uint256 tokenId) external onlyCustody {
        token.safeTransferFrom(address(this), to, tokenId);
    }
}
