"""Byte layouts and hashes that all parts of docs/protocol/v1.md share."""

import hashlib
import hmac


class Invalid(Exception):
    """Something that the document does not allow. The text says what."""


def require(condition, what):
    if not condition:
        raise Invalid(what)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def number(value, length):
    return value.to_bytes(length, "big")


def to_bytes(part):
    return part.encode() if isinstance(part, str) else part


def fields(*parts):
    """Each part behind its length."""
    return b"".join(number(len(to_bytes(part)), 4) + to_bytes(part) for part in parts)


def digest_of_fields(*parts):
    """H(…) of the document."""
    return sha256(fields(*parts))


def domain(name, *parts):
    return bytes([len(name)]) + name.encode() + b"".join(parts)


def mac(key, *parts):
    return hmac.new(key, b"".join(parts), "sha256").digest()


def hkdf_expand(key, info, length):
    result, block, counter = b"", b"", 1
    while len(result) < length:
        block = mac(key, block, to_bytes(info), bytes([counter]))
        result += block
        counter += 1
    return result[:length]


def hkdf(secret, salt, info, length=32):
    return hkdf_expand(mac(salt or bytes(32), secret), info, length)


class Reader:
    """Reads from front to back. Too few bytes are an error, and so are bytes left over at `end`."""

    def __init__(self, data, what):
        self._data, self._at, self._what = data, 0, what

    def bytes(self, length):
        end = self._at + length
        require(end <= len(self._data), f"{self._what} is too short")
        part, self._at = self._data[self._at : end], end
        return part

    def number(self, length):
        return int.from_bytes(self.bytes(length), "big")

    def expect(self, value, what):
        require(self.number(1) == value, f"{self._what} has another {what} than {value}")

    def sized(self, length):
        return self.bytes(self.number(length))

    def list(self, read):
        return [read(self) for _ in range(self.number(2))]

    def sparse(self, read, empty):
        values = [empty] * self.number(2)
        last = -1
        for place, value in self.list(lambda reader: (reader.number(2), read(reader))):
            require(last < place < len(values) and value != empty, f"{self._what} has a sparse list out of order")
            values[place], last = value, place
        return values

    def rest(self):
        return self.bytes(len(self._data) - self._at)

    def end(self):
        require(self._at == len(self._data), f"{self._what} has bytes left over")
