"""Sections "Descriptor" and "Messages outside the group": descriptors, links, certificates, statements."""

import base64
import re
from dataclasses import dataclass

from encoding import Invalid, Reader, domain, hkdf, number, require, sha256
from primitives import open_aes, seal_aes, verify
from self_signed import read_self_signed

MODULES = {1: "tgdh", 2: "str", 3: "bd", 4: "gdh", 5: "ckd", 6: "majority"}
OWN_MODULE = 255
CIPHERS = {1: "aes-256-gcm", 2: "chacha20-poly1305", 3: "aes-256-gcm-siv"}
POST_QUANTUM = {1: "off", 2: "hybrid"}
ADMISSIONS = {1: "link", 2: "roster", 3: "ca", 4: "approval"}


@dataclass(frozen=True)
class Person:
    member: bytes
    name: str
    public_key: bytes
    fingerprint: bytes


def read_certificate(der):
    """A person of a self-signed certificate."""
    _, name, key = read_self_signed(der)
    fingerprint = sha256(der)
    return Person(fingerprint[:16], name, key, fingerprint)


@dataclass(frozen=True)
class Descriptor:
    hash: bytes
    conference_id: bytes
    module: str
    cipher: str
    post_quantum: str
    room_key: bytes
    title: str
    creator: Person
    others: list


def descriptor_hash(data):
    return sha256(domain("keymoot v1 descriptor hash", data))


def conference_id(hash_):
    return sha256(domain("keymoot v1 conference id", hash_))[:16]


@dataclass(frozen=True)
class SealedDescriptor:
    """A descriptor whose signature is checked, with its sealed parts."""

    salt: bytes
    creator_key: bytes
    start: int
    names: tuple
    admission: str
    roster: list
    creator_fingerprint: bytes
    generation: int
    sealed_key: bytes
    sealed_blob: bytes

    def room_key(self, secret):
        key = hkdf(secret, self.salt, f"keymoot v1 room key sealing, generation {self.generation}")
        return _unsealed(key, self.sealed_key, domain("keymoot v1 descriptor room key", self.salt), "the room key")

    def blob_key(self, room_key):
        return hkdf(room_key, self.salt, "keymoot v1 descriptor blob")

    def open_blob(self, key):
        """(title, creator, other people)."""
        data = _unsealed(key, self.sealed_blob, domain("keymoot v1 descriptor blob", self.salt), "the blob")
        blob = Reader(data, "the blob")
        title, creator = blob.sized(2).decode(), read_certificate(blob.sized(2))
        others = blob.list(lambda each: read_certificate(each.sized(2)))
        require(not any(blob.rest()), "the blob is not filled up with zeros")
        is_creator = creator.public_key == self.creator_key and creator.fingerprint == self.creator_fingerprint
        require(is_creator, "the creator is another person")
        return title, creator, others


def read_descriptor(data):
    signed = Reader(data, "a descriptor")
    body, signature = signed.sized(2), signed.bytes(64)
    signed.end()
    reader = Reader(body, "a descriptor's body")
    reader.expect(4, "version")
    salt, creator_key = reader.bytes(16), reader.bytes(32)
    verify(creator_key, signature, domain("keymoot v1 descriptor", body), "a descriptor")
    start = reader.number(8)
    reader.bytes(16)
    module, cipher = _module_name(reader, MODULES), _module_name(reader, CIPHERS)
    post_quantum = reader.number(1)
    require(post_quantum in POST_QUANTUM, "a descriptor has unknown keys")
    authenticity, admission = reader.number(1), reader.number(1)
    require(authenticity in (1, 2) and admission in ADMISSIONS, "a descriptor has an unknown mode")
    roster = reader.list(lambda each: each.bytes(32)) if ADMISSIONS[admission] == "roster" else []
    require(reader.number(1) in (1, 2), "a descriptor has an unknown history")
    hosts, generation = reader.list(lambda each: each.bytes(32)), reader.number(4)
    sealed_key, sealed_blob = reader.bytes(60), reader.sized(2)
    reader.end()
    names = module, cipher, POST_QUANTUM[post_quantum]
    sealed = generation, sealed_key, sealed_blob
    return SealedDescriptor(salt, creator_key, start, names, ADMISSIONS[admission], roster, hosts[0], *sealed)


def open_descriptor(data, secret, expected_hash):
    require(descriptor_hash(data) == expected_hash, "the descriptor is not the one of its link")
    read = read_descriptor(data)
    room_key = read.room_key(secret)
    title, creator, others = read.open_blob(read.blob_key(room_key))
    return Descriptor(expected_hash, conference_id(expected_hash), *read.names, room_key, title, creator, others)


def _module_name(reader, names):
    """The name of a built-in module, or `own:` and the name of an embedder's."""
    code = reader.number(1)
    if code == OWN_MODULE:
        name = reader.sized(1)
        require(re.fullmatch(rb"[a-z0-9.-]{1,60}", name), "a descriptor has a module without a name")
        return "own:" + name.decode()
    require(code in names, "a descriptor has unknown keys")
    return names[code]


def _unsealed(key, sealed, associated_data, what):
    return open_aes(key, sealed[:12], sealed[12:], associated_data, what)


def read_link(link):
    """(conference id, secret, descriptor's hash)."""
    address, _, fragment = link.partition("#")
    parts = [base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in fragment.split(".")]
    return bytes.fromhex(address.rpartition("/")[2]), parts[0], parts[1]


def statements_digest(hashes):
    return sha256(domain("keymoot v1 statements", *sorted(hashes)))


ROLES = "host", "editor", "viewer"
GUEST_ROLES = "editor", "viewer"


def read_statement(data, conference, descriptor):
    """Checks one statement. Returns its hash and its fields, of which `body` holds what follows the tag."""
    signature, content = data[:64], data[64:]
    reader = Reader(content, "a statement")
    reader.expect(1, "version")
    read = {"issuer": reader.bytes(32), "office": reader.bytes(32), "number": reader.number(4)}
    read |= {"previous": reader.bytes(32), "heard": reader.bytes(32), "body": _statement_body(reader)}
    reader.end()
    require(read["number"] > 0, "a statement's number is zero")
    require(read["number"] == 1 or any(read["previous"]), "a later statement names no previous one")
    signed = domain("keymoot v1 statement", conference, descriptor, content)
    verify(read["issuer"], signature, signed, "a statement")
    return sha256(content), read


def _statement_body(reader):
    tag = reader.number(1)
    if tag == 1:
        return {"type": "role", "subject": reader.bytes(32), "role": _role(reader, ROLES)}
    if tag == 2:
        return {"type": "removal", "subject": reader.bytes(32)}
    if tag == 3:
        body = {"type": "generation", "generation": reader.number(4), "commitment": reader.bytes(32)}
        return body | {"removals": reader.bytes(32), "staying": reader.list(lambda each: each.bytes(32))}
    if tag == 4:
        body = {"type": "ticket", "subject": reader.bytes(32), "fingerprint": reader.bytes(32)}
        body |= {"role": _role(reader, GUEST_ROLES), "generation": reader.bytes(32)}
        return body | {"expiresAtMs": reader.number(8)}
    require(tag == 5, "a statement has an unknown tag")
    return {"type": "end", "endsAtMs": reader.number(8)}


def _role(reader, names):
    code = reader.number(1)
    require(1 <= code <= len(names), "a statement has an unknown role")
    return names[code - 1]


def removals_digest(removed):
    return sha256(domain("keymoot v1 removals", *sorted(removed)))


def commitment(secret, descriptor):
    return sha256(domain("keymoot v1 invitation commitment", descriptor, secret))


def check_vouch(data, conference, descriptor, digest):
    require(len(data) == 136, "a vouch has another length")
    verify(data[64:96], data[:64], domain("keymoot v1 vouch", conference, descriptor, data[64:]), "a vouch")
    require(data[96:128] == digest, "a vouch has another digest")


FILE_CHUNK = 16320


def sealed_chunk(key, conference, index, chunk):
    return seal_aes(key, number(index, 12), chunk, domain("keymoot v1 file", conference))


def file_root(size, hashes):
    return sha256(domain("keymoot v1 file root", number(size, 8), hashes))


def ticket_bytes(key, root, size, name, media_type):
    texts = [text.encode() for text in (name, media_type)]
    return b"\2" + key + root + number(size, 8) + b"".join(number(len(text), 1) + text for text in texts)


def file_id(conference, owner, ticket):
    return sha256(domain("keymoot v1 file id", conference, owner, ticket))[:16]
