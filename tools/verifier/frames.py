"""Section "Frame" of docs/protocol/v1.md: decodes frames and checks their signatures."""

from dataclasses import dataclass

from encoding import Reader, require, sha256
from primitives import verify

KINDS = "data agreement propose nack sync cut install fetch ackCut order leave roster".split()
SERVICES = "none unreliable reliable fifo causal agreed safe".split()


@dataclass(frozen=True)
class Frame:
    kind: str
    view: bytes
    origin: bytes
    service: str
    sequence: int
    content: dict
    digest: bytes
    data: bytes


def proposal(reader):
    return reader.number(8), reader.bytes(16)


def instance(reader):
    return reader.bytes(16), reader.number(8)


def entry(reader):
    return reader.number(2), reader.number(4), reader.bytes(32)


def _message(reader):
    dependencies = reader.list(lambda each: (each.number(2), each.number(4)))
    return {"dependencies": dependencies, "body": reader.sized(4)}


def _sync(reader):
    head = {"proposal": proposal(reader), "membersDigest": reader.bytes(32), "previous": reader.bytes(32)}
    own = {"incarnation": reader.number(8), "features": [reader.number(2) for _ in range(reader.number(1))]}
    received = {"received": reader.sparse(lambda each: each.number(4), 0), "receivedDigest": reader.bytes(32)}
    order = {"first": reader.number(4), "entries": reader.list(entry), "delivered": reader.number(4)}
    return {**head, **own, **received, **order, "nonce": reader.bytes(16), "attachment": reader.sized(4)}


def _roster(reader):
    head = {"to": reader.bytes(16), "incarnation": reader.number(8), "base": reader.number(4)}
    bodies = {"first": reader.number(4), "bodies": reader.list(lambda each: each.sized(4))}
    return {**head, **bodies, "peerIncarnation": reader.number(8), "acknowledged": reader.number(4)}


CONTENTS = {
    "data": _message,
    "agreement": _message,
    "propose": lambda reader: {"proposal": proposal(reader), "members": reader.list(instance)},
    "nack": lambda reader: {"proposal": proposal(reader), "promised": proposal(reader)},
    "sync": _sync,
    "cut": lambda reader: {"proposal": proposal(reader), "syncs": reader.list(lambda each: each.sized(4))},
    "install": lambda reader: {"proposal": proposal(reader), "syncs": reader.list(lambda each: each.sized(4))},
    "fetch": lambda reader: {
        "proposal": proposal(reader),
        "sender": reader.number(2),
        "after": reader.number(4),
        "upTo": reader.number(4),
    },
    "ackCut": lambda reader: {"proposal": proposal(reader)},
    "order": lambda reader: {"first": reader.number(4), "entries": reader.list(entry)},
    "leave": lambda reader: {"incarnation": reader.number(8)},
    "roster": _roster,
}


def read_frame(data, conference_tag, people):
    """`people`: by member id. Raises Invalid unless it is a frame of this conference that its origin signed."""
    outer = Reader(data, "a frame")
    static, signature = outer.sized(4), outer.bytes(64)
    outer.end()
    reader = Reader(static, "a frame's static part")
    reader.expect(1, "version")
    kind = reader.number(1)
    require(kind < len(KINDS), "a frame has an unknown kind")
    name = f"a frame of the kind {KINDS[kind]}"
    require(reader.bytes(32) == conference_tag, f"{name} is of another conference")
    view, origin, service, sequence = reader.bytes(32), reader.bytes(16), reader.number(1), reader.number(4)
    require(service < len(SERVICES), f"{name} has an unknown service")
    require(origin in people, f"{name} is of an unknown member")
    digest = sha256(static)
    verify(people[origin].public_key, signature, b"keymoot v1 frame\0" + digest, name)
    content = CONTENTS[KINDS[kind]](reader)
    reader.end()
    return Frame(KINDS[kind], view, origin, SERVICES[service], sequence, content, digest, data)
