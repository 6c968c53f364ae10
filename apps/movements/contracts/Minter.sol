// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {PonteToken} from "./PonteToken.sol";

/// The only minter of Ponte's tokens. Each reference is minted at most once for ever, whichever token it was for:
/// however often a mint is sent, by whichever key and nonce, the tokens come into being once.
/// Minting is halted by revoking OPERATOR_ROLE.
contract Minter is AccessControl {
    using SafeERC20 for IERC20;

    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    /// True once the reference was used.
    mapping(bytes32 ref => bool) public minted;

    event Minted(bytes32 indexed ref, address indexed token, address indexed to, uint256 amount);

    error ReferenceAlreadyMinted(bytes32 ref);
    error EmptyReference();
    error NothingToMint();
    error BackingTooDear(uint256 needed, uint256 most);

    constructor(address admin, address[] memory operators) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        for (uint256 i = 0; i < operators.length; ++i) _grantRole(OPERATOR_ROLE, operators[i]);
    }

    /// Mints `amount` units of `token` to `to`.
    function mint(bytes32 ref, PonteToken token, address to, uint256 amount) external onlyRole(OPERATOR_ROLE) {
        _take(ref, amount);
        token.mint(to, amount);
        emit Minted(ref, address(token), to, amount);
    }

    /// Mints the asset behind `vault` and turns it into exactly `shares` for `to`; refused when that takes more than `most`.
    function mintShares(bytes32 ref, IERC4626 vault, address to, uint256 shares, uint256 most)
        external
        onlyRole(OPERATOR_ROLE)
    {
        _take(ref, shares);
        uint256 needed = vault.previewMint(shares);
        if (needed > most) revert BackingTooDear(needed, most);
        address asset = vault.asset();
        PonteToken(asset).mint(address(this), needed);
        IERC20(asset).forceApprove(address(vault), needed);
        vault.mint(shares, to);
        emit Minted(ref, address(vault), to, shares);
    }

    /// Marks the reference before any other contract is called, so that re-entry finds it taken.
    function _take(bytes32 ref, uint256 amount) private {
        if (ref == bytes32(0)) revert EmptyReference();
        if (amount == 0) revert NothingToMint();
        if (minted[ref]) revert ReferenceAlreadyMinted(ref);
        minted[ref] = true;
    }
}
