"""ML-KEM-768 of FIPS 203. Its numbers of algorithms are those of the standard."""

from hashlib import sha3_256, sha3_512, shake_128, shake_256

from encoding import require

Q, N, K, DU, DV = 3329, 256, 3, 10, 4


def _reversed_bits(i):
    return int(f"{i:07b}"[::-1], 2)


ZETAS = [pow(17, _reversed_bits(i), Q) for i in range(128)]
GAMMAS = [pow(17, 2 * _reversed_bits(i) + 1, Q) for i in range(128)]


def _ntt(poly):
    """Algorithm 9."""
    f, i, length = list(poly), 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                t = ZETAS[i] * f[j + length]
                f[j], f[j + length] = (f[j] + t) % Q, (f[j] - t) % Q
            i += 1
        length //= 2
    return f


def _inverse_ntt(poly):
    """Algorithm 10."""
    f, i, length = list(poly), 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            for j in range(start, start + length):
                low, high = f[j], f[j + length]
                f[j], f[j + length] = (low + high) % Q, ZETAS[i] * (high - low) % Q
            i -= 1
        length *= 2
    return [3303 * value % Q for value in f]


def _product(f, g):
    """Algorithms 11 and 12."""
    h = []
    for i, gamma in enumerate(GAMMAS):
        (a0, a1), (b0, b1) = f[2 * i : 2 * i + 2], g[2 * i : 2 * i + 2]
        h += [(a0 * b0 + a1 * b1 * gamma) % Q, (a0 * b1 + a1 * b0) % Q]
    return h


def _sum(*polys):
    return [sum(values) % Q for values in zip(*polys)]


def _inner(row, vector):
    return _sum(*(_product(f, g) for f, g in zip(row, vector)))


def _sample_ntt(seed):
    """Algorithm 7."""
    # 896 candidates, of which 19 % are rejected: too few of them remain with a negligible probability only.
    data, poly = shake_128(seed).digest(1344), []
    for at in range(0, len(data), 3):
        low = data[at] + 256 * (data[at + 1] % 16)
        high = data[at + 1] // 16 + 16 * data[at + 2]
        poly += [value for value in (low, high) if value < Q]
    require(len(poly) >= N, "a matrix of ML-KEM needs more bytes")
    return poly[:N]


def _sample_cbd(seed, number):
    """Algorithm 8 with eta 2."""
    bits = _bits(shake_256(seed + bytes([number])).digest(128))
    return [(bits[4 * i] + bits[4 * i + 1] - bits[4 * i + 2] - bits[4 * i + 3]) % Q for i in range(N)]


def _bits(data):
    return [byte >> i & 1 for byte in data for i in range(8)]


def _encode(values, width):
    """Algorithm 5."""
    packed = sum(value << (width * i) for i, value in enumerate(values))
    return packed.to_bytes(len(values) * width // 8, "little")


def _decode(data, width):
    """Algorithm 6."""
    packed = int.from_bytes(data, "little")
    return [packed >> (width * i) & ((1 << width) - 1) for i in range(8 * len(data) // width)]


def _compress(poly, width):
    return [((value << width) + Q // 2) // Q % (1 << width) for value in poly]


def _decompress(values, width):
    return [(value * Q + (1 << (width - 1))) >> width for value in values]


def _polys(data, width):
    size = 32 * width
    return [_decode(data[at : at + size], width) for at in range(0, len(data), size)]


def _matrix(rho):
    return [[_sample_ntt(rho + bytes([j, i])) for j in range(K)] for i in range(K)]


def key_pair(seed):
    """Algorithm 16, of d and then z: (encapsulation key, decapsulation key)."""
    hashed = sha3_512(seed[:32] + bytes([K])).digest()
    rho, sigma = hashed[:32], hashed[32:]
    secret = [_ntt(_sample_cbd(sigma, i)) for i in range(K)]
    errors = [_ntt(_sample_cbd(sigma, K + i)) for i in range(K)]
    public = [_sum(_inner(row, secret), error) for row, error in zip(_matrix(rho), errors)]
    key = b"".join(_encode(poly, 12) for poly in public) + rho
    own = b"".join(_encode(poly, 12) for poly in secret)
    return key, own + key + sha3_256(key).digest() + seed[32:]


def _encrypt(key, message, randomness):
    """Algorithm 14."""
    public, rho = _polys(key[:-32], 12), key[-32:]
    y = [_ntt(_sample_cbd(randomness, i)) for i in range(K)]
    errors = [_sample_cbd(randomness, K + i) for i in range(K)]
    columns = zip(*_matrix(rho))
    u = [_sum(_inverse_ntt(_inner(column, y)), error) for column, error in zip(columns, errors)]
    last = _sample_cbd(randomness, 2 * K)
    v = _sum(_inverse_ntt(_inner(public, y)), last, _decompress(_bits(message), 1))
    return b"".join(_encode(_compress(poly, DU), DU) for poly in u) + _encode(_compress(v, DV), DV)


def encapsulate(key, randomness):
    """Algorithm 17: (ciphertext, secret)."""
    require(all(value < Q for poly in _polys(key[:-32], 12) for value in poly), "a key of ML-KEM is not reduced")
    hashed = sha3_512(randomness + sha3_256(key).digest()).digest()
    return _encrypt(key, randomness, hashed[32:]), hashed[:32]


def decapsulate(own, ciphertext):
    """Algorithm 18."""
    size = 384 * K
    secret, key = _polys(own[:size], 12), own[size : 2 * size + 32]
    digest, z = own[2 * size + 32 : -32], own[-32:]
    at = 32 * DU * K
    u = [_decompress(poly, DU) for poly in _polys(ciphertext[:at], DU)]
    v = _decompress(_decode(ciphertext[at:], DV), DV)
    noise = _inverse_ntt(_inner(secret, [_ntt(poly) for poly in u]))
    message = _encode(_compress([(a - b) % Q for a, b in zip(v, noise)], 1), 1)
    hashed = sha3_512(message + digest).digest()
    if _encrypt(key, message, hashed[32:]) != ciphertext:
        return shake_256(z + ciphertext).digest(32)
    return hashed[:32]
