"""Section "Keys of a view" of docs/protocol/v1.md."""

from encoding import digest_of_fields, domain, fields, hkdf, hkdf_expand, mac, number, sha256


def instances(members):
    """`members`: (id, incarnation), ascending."""
    return number(len(members), 2) + b"".join(member + number(incarnation, 8) for member, incarnation in members)


def members_digest(members):
    return sha256(b"keymoot v1 members\0", instances(members))


def view_id(epoch, coordinator, members, sync_digests):
    digests = "".join(sorted(digest.hex() for digest in sync_digests)).encode()
    return sha256(b"keymoot v1 view\0", number(epoch, 8), coordinator, instances(members), digests)


def void_view_id(member, incarnation):
    return sha256(b"keymoot v1 void\0", number(0, 8), member, instances([(member, incarnation)]))


def sequencer(view, member_ids):
    return member_ids[int.from_bytes(view[:4], "big") % len(member_ids)]


def sid(conference_id, descriptor_hash, view, fingerprints, statements_digest, *names):
    """`fingerprints`: by member id. `names`: of the module, the cipher and the post-quantum mode."""
    head = ["keymoot v1 sid", conference_id, descriptor_hash, view]
    return digest_of_fields(*head, _members_hash(fingerprints), statements_digest, *names)


def majority_sid(conference_id, descriptor_hash, epoch, view, fingerprints, statements_digest, *names):
    """`epoch` and `view`: of the session's start. `fingerprints`: of the roster. `names`: of the cipher and the mode."""
    head = ["keymoot v1 majority sid", conference_id, descriptor_hash, _members_hash(fingerprints)]
    return digest_of_fields(*head, statements_digest, number(epoch, 8), view, *names)


def _members_hash(fingerprints):
    return sha256(*(fields(member, fingerprints[member]) for member in sorted(fingerprints)))


def post_quantum_sid(conference_id, descriptor_hash, view, statements_digest, cipher, mode):
    place = conference_id + descriptor_hash + view + statements_digest
    return sha256(domain("keymoot v1 post-quantum sid", place, f"{cipher} {mode}".encode()))


def hybrid_transcript(classical, post_quantum):
    return sha256(domain("keymoot v1 hybrid transcript", classical, post_quantum))


def hybrid_epoch_key(classical, post_quantum, session, transcript):
    return hkdf(classical + post_quantum, b"", b"keymoot v1 hybrid epoch key" + session + transcript)


def invitation_key(room_key, descriptor_hash):
    return hkdf(room_key, descriptor_hash, "keymoot v1 invitation")


def epoch_key(invitation, secret, transcript, session):
    return hkdf(secret, invitation, b"keymoot v1 epoch key" + session + transcript)


def _derived(key, *parts, length=32):
    return hkdf_expand(key, digest_of_fields(*parts), length)


def confirmation_key(key):
    return _derived(key, "keymoot v1 confirmation key")


def confirmation(confirming, member, transcript):
    return mac(confirming, fields("keymoot v1 confirmation", member, transcript))


def sender_key(key, view, member, incarnation):
    return _derived(key, "keymoot v1 sender key", view, member, number(incarnation, 8))


def exported_key(key, label, context, length):
    return _derived(key, "keymoot v1 exporter", label, context, length=length)
