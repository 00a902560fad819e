"""AES-256-GCM-SIV (RFC 8452), which Debian 12's python3-cryptography does not have."""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

# x^128 + x^127 + x^126 + x^121 + 1; bit i is the coefficient of x^i.
_POLYNOMIAL = (1 << 128) | (1 << 127) | (1 << 126) | (1 << 121) | 1


def _dot(a, b):
    """a * b * x^-128 (section 3)."""
    product = 0
    for i in range(128):
        if b >> i & 1:
            product ^= a << i
    for _ in range(128):
        product = (product ^ _POLYNOMIAL if product & 1 else product) >> 1
    return product


def _polyval(key, data):
    h, sum_ = int.from_bytes(key, "little"), 0
    for at in range(0, len(data), 16):
        sum_ = _dot(sum_ ^ int.from_bytes(data[at : at + 16], "little"), h)
    return sum_.to_bytes(16, "little")


def _aes(key, blocks):
    encryptor = Cipher(AES(key), ECB()).encryptor()
    return encryptor.update(blocks) + encryptor.finalize()


def _padded(data):
    return data + bytes(-len(data) % 16)


class AesGcmSiv:
    def __init__(self, key):
        self.key = key

    def decrypt(self, nonce, sealed, associated_data):
        halves = [_aes(self.key, i.to_bytes(4, "little") + nonce)[:8] for i in range(6)]
        authenticating, encrypting = b"".join(halves[:2]), b"".join(halves[2:])
        ciphertext, tag = sealed[:-16], sealed[-16:]
        start = int.from_bytes(tag[:4], "little")
        rest = tag[4:15] + bytes([tag[15] | 0x80])
        count = -(-len(ciphertext) // 16)
        counters = b"".join(((start + i) % 2**32).to_bytes(4, "little") + rest for i in range(count))
        plaintext = bytes(a ^ b for a, b in zip(ciphertext, _aes(encrypting, counters)))
        lengths = b"".join((len(each) * 8).to_bytes(8, "little") for each in (associated_data, plaintext))
        hash_ = _polyval(authenticating, _padded(associated_data) + _padded(plaintext) + lengths)
        mixed = bytes(a ^ b for a, b in zip(hash_, nonce + bytes(4)))
        if _aes(encrypting, mixed[:15] + bytes([mixed[15] & 0x7F])) != tag:
            raise InvalidTag
        return plaintext
