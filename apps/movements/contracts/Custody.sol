// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {CustodyWallet} from "./CustodyWallet.sol";
import {PonteToken} from "./PonteToken.sol";

/// Moves what customers' wallets hold. A wallet's address follows from its salt, so it can receive before it is deployed; it is
/// deployed with its first outgoing movement. Each reference moves at most once for ever: however often a movement is sent,
/// by whichever operator key and nonce, it takes place once. All movement is halted by revoking OPERATOR_ROLE.
contract Custody is AccessControl {
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    /// What every wallet is a proxy of. The first contract that this one creates.
    CustodyWallet public immutable implementation;

    /// True once the reference was used.
    mapping(bytes32 ref => bool) public moved;

    event TokenMoved(bytes32 indexed ref, address indexed token, address indexed to, uint256 amount);
    event Redeemed(bytes32 indexed ref, address indexed token, uint256 amount, uint256 burned);
    event NftMoved(bytes32 indexed ref, address indexed token, address indexed to, uint256 tokenId);

    error ReferenceAlreadyMoved(bytes32 ref);
    error EmptyReference();
    error NothingToMove();
    error WalletsHoldTooLittle(uint256 missing);
    error SharesBringTooLittle(uint256 proceeds, uint256 least);

    constructor(address admin, address[] memory operators) {
        implementation = new CustodyWallet(address(this));
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        for (uint256 i = 0; i < operators.length; ++i) _grantRole(OPERATOR_ROLE, operators[i]);
    }

    /// The address of a wallet, whether or not it is deployed.
    function walletAt(bytes32 salt) public view returns (address) {
        return Clones.predictDeterministicAddress(address(implementation), salt);
    }

    /// Sends `amount` units of `token` to `to`, taking from the wallets in their order what each of them holds. All or nothing.
    function sendToken(bytes32 ref, IERC20 token, address to, uint256 amount, bytes32[] calldata salts)
        external
        onlyRole(OPERATOR_ROLE)
    {
        _take(ref);
        _collect(token, to, amount, salts);
        emit TokenMoved(ref, address(token), to, amount);
    }

    /// Burns `amount` units of `token` that the wallets hold. The token must have given this contract its BURNER_ROLE.
    function redeemToken(bytes32 ref, PonteToken token, uint256 amount, bytes32[] calldata salts)
        external
        onlyRole(OPERATOR_ROLE)
    {
        _take(ref);
        _collect(token, address(this), amount, salts);
        token.burn(amount);
        emit Redeemed(ref, address(token), amount, amount);
    }

    /// Turns `shares` of `vault` that the wallets hold into the asset behind them and burns that. Reverts when they bring less
    /// than `least`.
    function redeemShares(bytes32 ref, IERC4626 vault, uint256 shares, uint256 least, bytes32[] calldata salts)
        external
        onlyRole(OPERATOR_ROLE)
    {
        _take(ref);
        _collect(vault, address(this), shares, salts);
        uint256 proceeds = vault.redeem(shares, address(this), address(this));
        if (proceeds < least) revert SharesBringTooLittle(proceeds, least);
        PonteToken(vault.asset()).burn(proceeds);
        emit Redeemed(ref, address(vault), shares, proceeds);
    }

    /// Sends the non-fungible token from the wallet of `salt` to `to`.
    function sendNft(bytes32 ref, bytes32 salt, IERC721 token, address to, uint256 tokenId) external onlyRole(OPERATOR_ROLE) {
        _take(ref);
        _deployed(salt).sendNft(token, to, tokenId);
        emit NftMoved(ref, address(token), to, tokenId);
    }

    /// Takes `amount` units from the wallets in their order, what each of them holds, and sends them to `to`.
    function _collect(IERC20 token, address to, uint256 amount, bytes32[] calldata salts) private {
        if (amount == 0) revert NothingToMove();
        uint256 missing = amount;
        for (uint256 i = 0; i < salts.length && missing > 0; ++i) {
            uint256 held = token.balanceOf(walletAt(salts[i]));
            uint256 part = held < missing ? held : missing;
            if (part == 0) continue;
            missing -= part;
            _deployed(salts[i]).sendToken(token, to, part);
        }
        if (missing > 0) revert WalletsHoldTooLittle(missing);
    }

    /// Marks the reference before any other contract is called, so that re-entry finds it taken.
    function _take(bytes32 ref) private {
        if (ref == bytes32(0)) revert EmptyReference();
        if (moved[ref]) revert ReferenceAlreadyMoved(ref);
        moved[ref] = true;
    }

    function _deployed(bytes32 salt) private returns (CustodyWallet) {
        address wallet = walletAt(salt);
        if (wallet.code.length == 0) Clones.cloneDeterministic(address(implementation), salt);
        return CustodyWallet(wallet);
    }
}
