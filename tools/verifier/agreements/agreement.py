"""What the modules of section "Key agreement" share: attachments, clusters, transcript and epoch. Also BD and CKD."""

from dataclasses import dataclass, field

from algorithms import ristretto
from encoding import Reader, digest_of_fields, fields, hkdf, number, require, sha256
from primitives import open_chacha, sha512


def scalar_of(random):
    return int.from_bytes(random, "little") % ristretto.ORDER


def element(scalar):
    return (ristretto.BASE * scalar).encode()


def hash_to_scalar(name, data):
    return scalar_of(sha512(fields(name, data)))


@dataclass(frozen=True)
class Attachment:
    share: bytes
    standing: bytes | None
    state: bytes
    place: int = 0
    since: int = 0


SEATED = ("gdh", "ckd", "ml-kem")
"""Modules whose members sit in an order."""


def _share_bytes(module, length):
    if module == "ml-kem":
        # Of a member that keeps its key there is none, and the attachment is short.
        return 1184 if length > 128 else 0
    return 0 if module == "gdh" else 32


def decode_attachment(data, module):
    reader = Reader(data, "an attachment")
    reader.expect(1, "version")
    tag = reader.number(1)
    require(tag in (0, 1), "an attachment has an unknown tag")
    share = reader.bytes(_share_bytes(module, len(data)))
    standing, state, place, since = None, b"", 0, 0
    if tag == 1:
        standing = reader.bytes(64)
        if module in SEATED:
            place, since = reader.number(2), reader.number(8)
        else:
            state = reader.sized(4)
    reader.end()
    return Attachment(share, standing, state, place, since)


@dataclass
class View:
    """One view as a module sees it. `members` ascend. `multicasts`: (sender, bytes) in the order of delivery."""

    module: str
    epoch: int
    sid: bytes
    members: list
    attachments: dict
    multicasts: list
    unicasts: list = field(default_factory=list)

    def __post_init__(self):
        self.decoded = {member: decode_attachment(self.attachments[member], self.module) for member in self.members}


@dataclass
class Outcome:
    """What a member has at the end of a view. `state`: the module's own."""

    secret: bytes
    transcript: bytes
    epoch_id: bytes
    state_hash: bytes
    state: object


def claims(view):
    """Clusters of at least two members with one standing as (members, standing), and the other members."""
    by_standing, newcomers = {}, []
    for member in view.members:
        standing = view.decoded[member].standing
        if standing is None:
            newcomers.append(member)
        else:
            by_standing.setdefault(standing, []).append(member)
    shared = [(members, standing) for standing, members in by_standing.items() if len(members) > 1]
    newcomers += [members[0] for members in by_standing.values() if len(members) == 1]
    return shared, newcomers


def in_cluster_order(clusters):
    return sorted(clusters, key=lambda members: (-len(members), members[0]))


def _attachments_apart(view):
    parts = [member + number(len(view.attachments[member]), 4) + view.attachments[member] for member in view.members]
    return b"".join(parts)


def _attachments_together(view):
    standings, entries = [], b""
    for member in view.members:
        attachment, place = view.decoded[member], 0
        if attachment.standing is not None:
            if attachment.standing not in standings:
                standings.append(attachment.standing)
            place = standings.index(attachment.standing) + 1
        entries += member + number(place, 2) + number(len(attachment.state), 4) + attachment.share
    return number(len(standings), 2) + number(len(view.members), 2) + b"".join(standings) + entries


def outcome(view, multicasts, top, digest, state):
    """`multicasts`: (round, sender, bytes). `digest`: of the state."""
    apart = view.module in SEATED
    attached = _attachments_apart(view) if apart else _attachments_together(view)
    sent = b"".join(
        number(round_, 4) + sender + number(len(data), 4) + data for round_, sender, data in sorted(multicasts)
    )
    head = b"keymoot v1 transcript" + number(len(attached), 4) + attached + number(len(multicasts), 4)
    transcript = sha256(head, sent)
    state_hash = digest_of_fields(f"keymoot v1 {view.module} state", digest)
    epoch_id = digest_of_fields("keymoot v1 epoch id", view.sid, transcript, state_hash)
    alone = " of one" if len(view.members) == 1 else ""
    secret = digest_of_fields(f"keymoot v1 {view.module} secret{alone}", top)
    return Outcome(secret, transcript, epoch_id, state_hash, state)


def agree_bd(view, own, share, _state, _random):
    shares = [view.decoded[member].share for member in view.members]
    count, place = len(shares), view.members.index(own)
    scalar = scalar_of(share)
    if count == 1:
        return outcome(view, [], scalar.to_bytes(32, "little"), b"", None)
    if count == 2:
        return outcome(view, [], (ristretto.decode(shares[1 - place]) * scalar).encode(), b"", None)
    differences = {}
    for sender, data in view.multicasts:
        require(data[:2] == b"\1\1" and len(data) == 34, "a BD message is no X")
        differences[sender] = ristretto.decode(data[2:], identity_allowed=True)
    require(set(differences) == set(view.members), "an X is missing")
    ring = [ristretto.decode(data) for data in shares]
    own_difference = (ring[(place + 1) % count] + -ring[place - 1]) * scalar
    require(own_difference.encode() == differences[own].encode(), "this member's X is another one")
    require(element(scalar) == shares[place], "this member's Z is not of its share")
    key = ring[place - 1] * scalar
    first, total = key, key
    for step in range(count):
        key += differences[view.members[(place + step) % count]]
        if step < count - 1:
            total += key
    require(key.encode() == first.encode(), "the sum of all X is not the identity")
    multicasts = [(1, sender, data) for sender, data in view.multicasts]
    return outcome(view, multicasts, total.encode(), b"", None)


def seats_of(view):
    """The order of GDH and CKD: (owner, epoch of its seat)."""
    shared, newcomers = claims(view)
    order = in_cluster_order([members for members, _ in shared])
    seated = [sorted(members, key=lambda member: (view.decoded[member].place, member)) for members in order]
    seniors = [(member, view.decoded[member].since) for member in (seated[0] if seated else [])]
    entering = [member for members in seated[1:] for member in members] + sorted(newcomers)
    return seniors + [(member, view.epoch) for member in entering]


def agree_ckd(view, own, share, _state, random):
    seats = seats_of(view)
    controller = seats[0][0]
    scalar = scalar_of(share)
    others = [member for member in view.members if member != controller]
    drawn = digest_of_fields("keymoot v1 ckd group secret", random)
    multicasts = []
    if not others:
        group_secret = drawn
    else:
        ((sender, data),) = view.multicasts
        require(sender == controller, "another member than the first seat has sent a secret")
        reader = Reader(data, "a CKD message")
        reader.expect(1, "version")
        commitment = reader.bytes(32)
        sealed = reader.list(lambda each: each.bytes(48))
        reader.end()
        require(len(sealed) == len(others), "a CKD message has another number of secrets")
        if own == controller:
            group_secret = drawn
        else:
            shared = (ristretto.decode(view.decoded[controller].share) * scalar).encode()
            key = hkdf(shared, b"", b"keymoot v1 ckd pairwise key" + view.sid + controller + own)
            group_secret = open_chacha(key, bytes(12), sealed[others.index(own)], None, "a CKD secret")
        expected = digest_of_fields("keymoot v1 ckd commitment", group_secret)
        require(commitment == expected, "a CKD secret is not the one of its commitment")
        multicasts = [(1, controller, data)]
    state = b"\1" + b"".join(owner + number(since, 8) for owner, since in seats)
    return outcome(view, multicasts, group_secret, state, None)
