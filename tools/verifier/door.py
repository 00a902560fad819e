"""Sections "Messages outside the group" and "Frames of a call": HPKE (RFC 9180) and SFrame (RFC 9605)."""

import hmac

from encoding import Invalid, Reader, domain, hkdf_expand, mac, number, require
from primitives import diffie_hellman, open_aes, open_chacha, verify
from schedule import exported_key

TEXT_BYTES = 1024
TAGS = {"message": 5, "answer": 6}
SOURCES = ("microphone", "camera", "screen", "screen-audio")
CIPHER_SUITE = 5


def _labeled_extract(suite, salt, label, secret):
    return mac(salt or bytes(32), b"HPKE-v1" + suite + label + secret)


def _labeled_expand(suite, key, label, info, length):
    return hkdf_expand(key, number(length, 2) + b"HPKE-v1" + suite + label + info, length)


def open_base(secret, recipient, enc, ciphertext, info, associated_data):
    """Base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20-Poly1305."""
    kem, hpke = b"KEM\x00\x20", b"HPKE\x00\x20\x00\x01\x00\x03"
    extracted = _labeled_extract(kem, b"", b"eae_prk", diffie_hellman(secret, enc))
    shared = _labeled_expand(kem, extracted, b"shared_secret", enc + recipient, 32)
    context = b"\0" + _labeled_extract(hpke, b"", b"psk_id_hash", b"") + _labeled_extract(hpke, b"", b"info_hash", info)
    key = _labeled_extract(hpke, shared, b"secret", b"")
    parts = [_labeled_expand(hpke, key, label, context, length) for label, length in ((b"key", 32), (b"base_nonce", 12))]
    return open_chacha(parts[0], parts[1], ciphertext, associated_data, "a message at the door")


def outside_secret(epoch_key, view):
    return exported_key(epoch_key, "keymoot v1 outside", view, 32)


def read_key_notice(data):
    reader = Reader(data, "a notice")
    reader.expect(1, "version")
    reader.expect(4, "tag")
    key = reader.bytes(32)
    reader.end()
    return key


def open_notice(data, direction, scope, secret, author):
    """(recipient's key, plaintext, number, reply key, text). `author`: the public key of the sender."""
    reader = Reader(data, "a notice")
    reader.expect(1, "version")
    reader.expect(TAGS[direction], "tag")
    key, enc, ciphertext = reader.bytes(32), reader.bytes(32), reader.sized(2)
    reader.end()
    info = domain(f"keymoot v1 outside {direction} seal", scope)
    plaintext = open_base(secret, key, enc, ciphertext, info, key)
    body = Reader(plaintext, "a message at the door")
    count, reply_key, length = body.number(4), body.bytes(32), body.number(2)
    text, signature = body.bytes(TEXT_BYTES), body.bytes(64)
    body.end()
    require(not any(text[length:]), "a message at the door is not filled up with zeros")
    fields = scope + key + reply_key + number(count, 4) + text[:length]
    verify(author, signature, domain(f"keymoot v1 outside {direction}", fields), "a message at the door")
    return key, plaintext, count, reply_key, text[:length].decode()


def media_secret(epoch_key, view):
    return exported_key(epoch_key, "keymoot v1 media", view, 32)


def frame_keys(secret, member, incarnation, key_id):
    """(key, salt) of a sender."""
    base = exported_key(secret, "keymoot v1 media", member + number(incarnation, 8), 32)
    extracted = hmac.new(b"", base, "sha512").digest()
    parts = []
    for name, length in ((b"key", 32), (b"salt", 12)):
        label = b"SFrame 1.0 Secret " + name + b" " + number(key_id, 8) + number(CIPHER_SUITE, 2)
        parts.append(hmac.new(extracted, label + b"\1", "sha512").digest()[:length])
    return tuple(parts)


def open_frame(frame, key, salt, source):
    """(key id, counter, plaintext)."""
    reader = Reader(frame, "a frame of a call")
    head = reader.number(1)
    key_id, counter = _value(reader, head >> 4), _value(reader, head & 15)
    sealed = reader.rest()
    header = frame[: len(frame) - len(sealed)]
    nonce = (int.from_bytes(salt, "big") ^ counter).to_bytes(12, "big")
    metadata = number(1 + SOURCES.index(source), 1)
    return key_id, counter, open_aes(key, nonce, sealed, header + metadata, "a frame of a call")


def _value(reader, field):
    if field < 8:
        return field
    data = reader.bytes(field - 7)
    if data[0] == 0 or int.from_bytes(data, "big") < 8:
        raise Invalid("a header of a frame is longer than needed")
    return int.from_bytes(data, "big")
