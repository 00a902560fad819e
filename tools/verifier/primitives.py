"""Signatures and ciphers, from Debian's python3-cryptography."""

import hashlib
import struct

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

from encoding import Invalid, require
from algorithms.gcm_siv import AesGcmSiv


FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
SMALL_ORDER_Y = {
    0,
    1,
    FIELD - 1,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
}


def is_strict_point(data):
    y = int.from_bytes(data, "little") % 2**255
    return y < FIELD and y not in SMALL_ORDER_Y


def is_strict(public_key, signature):
    """Section "Signatures": whether a library may be asked at all."""
    below = int.from_bytes(signature[32:], "little") < ORDER
    return is_strict_point(public_key) and is_strict_point(signature[:32]) and below


def verify(public_key, signature, message, what):
    require(is_strict(public_key, signature), f"{what} has an invalid signature")
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise Invalid(f"{what} has an invalid signature") from None


def sign(seed, message):
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def public_key(seed):
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def public_of(secret):
    """The X25519 public key."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def diffie_hellman(secret, public):
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(public))


def _opened(cipher, nonce, sealed, associated_data, what):
    try:
        return cipher.decrypt(nonce, sealed, associated_data)
    except InvalidTag:
        raise Invalid(f"{what} does not decrypt") from None


def open_aes(key, nonce, sealed, associated_data, what):
    return _opened(AESGCM(key), nonce, sealed, associated_data, what)


def seal_aes(key, nonce, plaintext, associated_data):
    return AESGCM(key).encrypt(nonce, plaintext, associated_data)


CIPHERS = {"aes-256-gcm": AESGCM, "chacha20-poly1305": ChaCha20Poly1305, "aes-256-gcm-siv": AesGcmSiv}


def open_data(cipher, key, nonce, sealed, associated_data, what):
    """`cipher`: the conference's, by its name in the descriptor."""
    require(cipher in CIPHERS, f"the cipher {cipher} is not known here")
    return _opened(CIPHERS[cipher](key), nonce, sealed, associated_data, what)


def open_chacha(key, nonce, sealed, associated_data, what):
    return _opened(ChaCha20Poly1305(key), nonce, sealed, associated_data, what)


def counter_nonce(counter):
    return bytes(4) + counter.to_bytes(8, "big")


def _hchacha20(key, nonce):
    """draft-irtf-cfrg-xchacha, section 2.2."""
    state = list(struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key) + struct.unpack("<4I", nonce))

    def quarter(a, b, c, d):
        for target, source, other, shift in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[target] = (state[target] + state[source]) & 0xFFFFFFFF
            mixed = state[other] ^ state[target]
            state[other] = ((mixed << shift) | (mixed >> (32 - shift))) & 0xFFFFFFFF

    for _ in range(10):
        for column in range(4):
            quarter(column, column + 4, column + 8, column + 12)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<8I", *state[:4], *state[12:])


def open_xchacha(key, nonce, sealed, associated_data, what):
    require(len(nonce) == 24, f"{what} has a nonce of another length")
    return open_chacha(_hchacha20(key, nonce[:16]), bytes(4) + nonce[16:], sealed, associated_data, what)


def sha512(data):
    return hashlib.sha512(data).digest()
