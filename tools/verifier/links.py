"""Sections "Association", "Hop frame" and "In the room" of docs/protocol/v1.md."""

from encoding import Invalid, Reader, hkdf, mac, number, require, sha256
from primitives import counter_nonce, diffie_hellman, open_chacha, open_xchacha, verify

LINK_TYPES = {"webrtc": 1, "relay": 2}
ROLES = {"initiator": 1, "responder": 2}
LANES = {"reliable": 3, "unreliable": 4}
CONFIRMED = b"keymoot/1 association confirmed"


class Scope:
    """The prefix of everything between two members of one conference."""

    def __init__(self, conference_id, descriptor_hash):
        self._conference = conference_id + descriptor_hash

    def scoped(self, label, *rest):
        return b"keymoot/1 " + label.encode() + b"\0" + self._conference + b"".join(rest)


def protocol_bytes(protocol):
    features = b"".join(number(feature, 2) for feature in protocol["features"])
    return number(protocol["major"], 2) + number(len(protocol["features"]), 1) + features


def transcript_hash(scope, link_type, attempt, ends, protocol, encapsulation_key):
    """`ends`: by role, with certificate, incarnation, dtlsFingerprint, ephemeral and nonce as bytes."""

    def part(end):
        head = number(len(end["certificate"]), 2) + end["certificate"] + number(end["incarnation"], 8)
        print_ = number(len(end["dtlsFingerprint"]), 1) + end["dtlsFingerprint"]
        return head + print_ + protocol_bytes(protocol) + end["ephemeral"] + end["nonce"]

    head = number(LINK_TYPES[link_type], 1) + number(attempt, 8)
    parts = part(ends["initiator"]), part(ends["responder"]), encapsulation_key
    return sha256(scope.scoped("association transcript", head, *parts))


def full_hash(scope, hash_, ciphertext):
    return sha256(scope.scoped("association hybrid transcript", hash_, ciphertext))


def hop_keys(data):
    keys = [data[at : at + 32] for at in range(0, 128, 32)]
    return {
        "reliable": {"initiator": keys[0], "responder": keys[1]},
        "unreliable": {"initiator": keys[2], "responder": keys[3]},
        "associationId": data[128:136],
    }


def association_keys(shared, transcript):
    data = hkdf(shared, transcript, "keymoot/1 association keys", 200)
    return {"initiator": data[:32], "responder": data[32:64]}, hop_keys(data[64:])


def next_hop_keys(secret, association_id, ephemerals, encapsulation_key, ciphertext):
    salt = sha256(association_id, ephemerals["initiator"], ephemerals["responder"], encapsulation_key, ciphertext)
    return hop_keys(hkdf(secret, salt, "keymoot/1 hop rekey", 136))


def open_hop_frame(keys, sender, data, expected_sequence):
    """(lane, plaintext)."""
    reader = Reader(data, "a hop frame")
    kind = reader.number(1)
    lanes = [name for name, value in LANES.items() if value == kind]
    require(lanes, "a hop frame is of no lane")
    require(reader.bytes(8) == keys["associationId"], "a hop frame is of another association")
    sequence = reader.number(8)
    require(sequence == expected_sequence, "a hop frame has another number")
    sealed = reader.rest()
    return lanes[0], open_chacha(keys[lanes[0]][sender], counter_nonce(sequence), sealed, data[:17], "a hop frame")


def check_open(data, role, link_type, protocol, end, encapsulation_key):
    expected = b"\1" + protocol_bytes(protocol) + number(ROLES[role], 1) + number(LINK_TYPES[link_type], 1)
    key = encapsulation_key if role == "initiator" else b""
    require(data == expected + end["ephemeral"] + end["nonce"] + key, "an OPEN has other fields")


def check_proof(data, role, scope, hash_, proof_key, invitation_keys, end, ciphertext):
    """`hash_`: the role's."""
    head = b"\2" + (ciphertext if role == "responder" else b"")
    require(data[: len(head)] == head, "a PROOF has another tag or ciphertext")
    reader = Reader(open_chacha(proof_key, bytes(12), data[len(head) :], hash_, "a PROOF"), "a PROOF")
    require(reader.sized(2) == end["certificate"], "a PROOF has another certificate")
    macs = [reader.bytes(32) for _ in range(reader.number(1))]
    signature = reader.bytes(64)
    reader.end()
    expected = [mac(key, scope.scoped(f"association mac {role}", hash_)) for key in invitation_keys]
    require(macs == expected, "a PROOF has another MAC of the invitation")
    verify(end["publicKey"], signature, scope.scoped(f"association {role}", hash_), "a PROOF")


def encode_card(card):
    head = protocol_bytes(card["protocol"]) + number(len(card["certificate"]), 2) + card["certificate"]
    entry = number(card["incarnation"], 8) + number(card["entry"], 8)
    keys = card["address"] + card["ephemeral"] + card["nonce"]
    return head + entry + keys + number(len(card["extension"]), 2) + card["extension"]


def open_advertisement(data, key, scope, public_key):
    """The card's bytes."""
    require(data[:1] == b"\1", "an advertisement has another version")
    plain = open_xchacha(key, data[1:25], data[25:], scope.scoped("advertisement seal"), "an advertisement")
    card = plain[64:]
    verify(public_key, plain[:64], scope.scoped("advertisement", card), "an advertisement")
    return card


def open_signal(data, scope, signal_key, recipient, sender_public_key):
    """(sender's member id, body). `recipient`: its member id, card and ephemeral secret."""
    head, sealed, tag = data[:57], data[57:-32], data[-32:]
    if mac(signal_key, scope.scoped("signal mac", head, sealed)) != tag:
        raise Invalid("a signal has an invalid MAC")
    reader = Reader(head, "a signal")
    reader.expect(1, "version")
    require(reader.bytes(16) == recipient["card"]["nonce"], "a signal repeats another nonce")
    ephemeral, counter = reader.bytes(32), reader.number(8)
    shared = diffie_hellman(recipient["ephemeralSecret"], ephemeral)
    info = scope.scoped("signal seal", ephemeral, recipient["card"]["ephemeral"])
    key = hkdf(shared, recipient["card"]["nonce"], info)
    plain = Reader(open_chacha(key, counter_nonce(counter), sealed, head, "a signal"), "a signal")
    sender, signature, body = plain.bytes(16), plain.bytes(64), plain.rest()
    verify(sender_public_key, signature, scope.scoped("signal", sender, recipient["member"], head, body), "a signal")
    return sender, body
