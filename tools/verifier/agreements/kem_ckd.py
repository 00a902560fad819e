"""Section "Post-quantum agreement" of docs/protocol/v1.md."""

from dataclasses import dataclass

from agreements.agreement import outcome, seats_of
from encoding import Reader, digest_of_fields, hkdf, require
from algorithms.ml_kem import decapsulate, key_pair
from primitives import open_chacha

KEY_BYTES, CIPHERTEXT_BYTES, SEAL_BYTES = 1184, 1088, 1136


@dataclass
class State:
    """A member's own. `keys`: public keys that it knows, by member."""

    seed: bytes
    own: bytes
    keys: dict
    seats: list


def agree_kem(view, own, share, state, random):
    """`share`: the seed of the key pair that this member attaches or sends, if it does."""
    seats = seats_of(view)
    leader = seats[0][0]
    # A seat of this view may be a senior's too: those that enter have none in the first cluster's state.
    seniors = _seniors(view, seats)
    public, secret = key_pair(share)
    attached = view.decoded[own].share
    require(attached in (b"", public), "this member's key is not of its randomness")
    lacking = {member for member in view.members if not view.decoded[member].share and member not in seniors}
    keeps = not attached and own not in lacking
    known = state.keys if own in seniors else {}
    keys = {member: view.decoded[member].share or known.get(member) for member in view.members}
    multicasts, message = [], None
    for sender, data in view.multicasts:
        reader = Reader(data, "a message of the post-quantum agreement")
        reader.expect(1, "version")
        if reader.number(1) == 0:
            require(sender in lacking, "a member sends a key that nobody needs")
            keys[sender] = reader.bytes(KEY_BYTES)
            lacking.discard(sender)
            multicasts.append((0, sender, data))
        else:
            require(sender == leader and message is None, "another member than the leader sends a seed")
            message = reader
            multicasts.append((1, sender, data))
    require(not lacking, "a key is missing")
    own_key = state.own if keeps else secret
    fresh = digest_of_fields("keymoot v1 ml-kem fresh seed", random, view.sid)
    if len(view.members) == 1:
        seed = fresh
    else:
        require(message is not None, "the seed is missing")
        seed = _seed_in(message, view, own, leader, seniors, state, own_key, fresh)
    digest = b"\1" + b"".join(owner + since.to_bytes(8, "big") for owner, since in seats)
    return outcome(view, multicasts, seed, digest, State(seed, own_key, keys, seats))


def _seniors(view, seats):
    first = view.decoded[seats[0][0]].standing
    seniors = {member for member in view.members if first and view.decoded[member].standing == first}
    return seniors if len(seniors) > 1 else set()


def _seed_in(reader, view, own, leader, seniors, state, own_key, fresh):
    forward = reader.number(1) == 1
    commitment = reader.bytes(32)
    seals = reader.list(lambda each: each.bytes(SEAL_BYTES))
    reader.end()
    recipients = [member for member in view.members if member != leader and not (forward and member in seniors)]
    require(len(seals) == len(recipients), "a seed has another number of seals")
    if own in seniors:
        grew = len(seniors) == len(state.seats) and len(seniors) < len(view.members)
        require(forward == grew, "a seed follows from the last one although it may not, or does not although it should")
    if own in recipients:
        seal = seals[recipients.index(own)]
        shared = decapsulate(own_key, seal[:CIPHERTEXT_BYTES])
        key = hkdf(shared, b"", b"keymoot v1 ml-kem sealing key" + view.sid + leader + own)
        seed = open_chacha(key, bytes(12), seal[CIPHERTEXT_BYTES:], None, "a seed")
    elif forward:
        seed = digest_of_fields("keymoot v1 ml-kem next seed", state.seed, view.sid)
    else:
        seed = fresh
    expected = digest_of_fields("keymoot v1 ml-kem commitment", seed, view.sid)
    require(commitment == expected, "a seed is not the one of its commitment")
    return seed
