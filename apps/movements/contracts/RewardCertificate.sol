// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// Reward certificates. The reference of a mint is also the token's id, so a reference is minted at most once for ever: however
/// often a mint is sent, by whichever key and nonce, the token comes into being once. No burn, no upgrade, no pause, no seizure.
/// Minting is halted by revoking OPERATOR_ROLE.
contract RewardCertificate is ERC721, AccessControl {
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    event Minted(bytes32 indexed ref, address indexed to);

    error ReferenceAlreadyMinted(bytes32 ref);
    error EmptyReference();

    constructor(address admin, address[] memory operators) ERC721("Ponte Reward Certificate", "PRC") {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        for (uint256 i = 0; i < operators.length; ++i) _grantRole(OPERATOR_ROLE, operators[i]);
    }

    /// Mints the token of the reference to `to`, which must accept ERC-721 tokens when it is a contract.
    function mint(bytes32 ref, address to) external onlyRole(OPERATOR_ROLE) {
        if (ref == bytes32(0)) revert EmptyReference();
        if (minted(ref)) revert ReferenceAlreadyMinted(ref);
        emit Minted(ref, to);
        _safeMint(to, uint256(ref));
    }

    /// True once the reference was used: there is no burn, so its token has an owner.
    function minted(bytes32 ref) public view returns (bool) {
        return _ownerOf(uint256(ref)) != address(0);
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC721, AccessControl) returns (bool) {
        return super.supportsInterface(interfaceId);
    }
}
