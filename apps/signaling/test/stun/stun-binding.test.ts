import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ANSWER_GROWTH_BYTES_MAX, answerBinding, REQUEST_BYTES_MAX } from "../../src/stun/binding.ts"

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(/\s/gu, ""), "hex"))
const hexOf = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString("hex"))

const TRANSACTION = "b7e7a701bc34d686fa87dfae"
/** RFC 5769, section 2.1: PRIORITY is ICE's, so RFC 8489 alone does not know it. */
const SAMPLE_REQUEST = bytesOf(`
  00010058 2112a442 ${TRANSACTION}
  80220010 5354554e 20746573 7420636c 69656e74
  00240004 6e0001ff
  80290008 932ff9b1 51263b36
  00060009 6576746a 3a683676 59202020
  00080014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249 c1b571a2
  80280004 e57a3bcf`)
/** Requests with credentials of two RFCs. This server has no passwords, so MESSAGE-INTEGRITY tests nothing here. */
// RFC 5769, section 2.4, and RFC 8489, appendix B.1, as corrected by erratum 6268.
const CREDENTIALS = [
  `00010060 2112a442 78ad3433c6ad72c029da412e
  00060012 e3839ee38388e383aae38383e382afe382b90000
  0015001c 662f2f3439396b39353464364f4c33346f4c39465354767936347341
  0014000b 6578616d706c652e6f726700
  00080014 f67024656dd64a3e02b8e0712e85c9a28ca89666`,
  `00010090 2112a442 78ad3433c6ad72c029da412e
  001e0020 4a3cf38fef6992bda952c6780417da0f24819415569e60b205c46e41407f1704
  00150029 6f624d61744a6f733241414143662f2f3439396b39353464364f4c33346f4c39465354767936347341000000
  0014000b 6578616d706c652e6f726700
  001d0004 00020000
  001c0020 b5c7bf005b6c52a21c51c5e892f81924136296cb927c43149309278cc6518e65`,
].map(bytesOf)
/** RFC 5769, sections 2.2 and 2.3: the attributes that they have in common with this server's answers. */
const SAMPLE_IPV4 = "002000080001a147e112a643"
const SAMPLE_IPV6 = "002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9"

const IPV4 = { address: "192.0.2.1", port: 32853 }
const IPV6 = { address: "2001:db8:1234:5678:11:2233:4455:6677", port: 32853 }

function request(...attributes: readonly string[]): Uint8Array {
  const body = attributes.join("").replaceAll(" ", "")
  return bytesOf(`0001 ${(body.length / 2).toString(16).padStart(4, "0")} 2112a442 ${TRANSACTION} ${body}`)
}

describe("a Binding request", () => {
  test("gets the mapped addresses of RFC 5769", () => {
    const header = (bodyBytes: string) => `010100${bodyBytes}2112a442${TRANSACTION}`
    expect(hexOf(answerBinding(request(), IPV4))).toBe(`${header("0c")}${SAMPLE_IPV4}`)
    expect(hexOf(answerBinding(request(), IPV6))).toBe(`${header("18")}${SAMPLE_IPV6}`)
  })

  test("gets an IPv4 address when a socket for both families reports it", () => {
    const expected = hexOf(answerBinding(request(), IPV4))
    for (const address of ["::ffff:192.0.2.1", "::ffff:c000:201", "0:0:0:0:0:ffff:192.0.2.1"])
      expect(hexOf(answerBinding(request(), { ...IPV4, address })), address).toBe(expected)
    const scoped = { ...IPV6, address: "fe80::1%eth0" }
    expect(hexOf(answerBinding(request(), scoped))).toBe(
      hexOf(answerBinding(request(), { ...IPV6, address: "fe80::1" })),
    )
  })

  test("gets error 420 with each unknown required attribute once", () => {
    // The sample's FINGERPRINT is right, so the answer has one, too. Its CRC is that of the bytes before it.
    expect(hexOf(answerBinding(SAMPLE_REQUEST, IPV4))).toMatch(
      new RegExp(`^011100182112a442${TRANSACTION}0009000400000414000a00020024000080280004[0-9a-f]{8}$`, "u"),
    )
    const twice = request("00030004 00000006", "00270004 0d960000", "00030000", "c0010000")
    expect(hexOf(answerBinding(twice, IPV4))).toBe(`011100102112a442${TRANSACTION}0009000400000414000a000400030027`)
  })

  test("ignores credentials, and attributes behind MESSAGE-INTEGRITY", () => {
    const sealed = request("00060004 61646100", `00080014 ${"00".repeat(20)}`, "00240004 6e0001ff")
    expect(hexOf(answerBinding(sealed, IPV4))).toContain(SAMPLE_IPV4)
  })

  test("gets a success when it has the credentials of RFC 5769 or RFC 8489", () => {
    const success = /^0101000c2112a44278ad3433c6ad72c029da412e002000080001/u
    for (const request of CREDENTIALS) expect(hexOf(answerBinding(request, IPV4))).toMatch(success)
  })

  test("gets a FINGERPRINT if it has one, over all bytes before it", () => {
    // Computed with another implementation of CRC-32: Python's zlib.
    const answer = answerBinding(request("80280004 fdf6ae02"), IPV4)
    expect(hexOf(answer)).toBe(`010100142112a442${TRANSACTION}${SAMPLE_IPV4}802800047d281f59`)
  })
})

test("drops what is no well-formed Binding request", () => {
  const good = hexOf(SAMPLE_REQUEST)!
  for (const [why, hex] of [
    ["an indication", hexOf(request())!.replace(/^0001/u, "0011")],
    ["a success response", hexOf(request())!.replace(/^0001/u, "0101")],
    ["TURN's Allocate", hexOf(request())!.replace(/^0001/u, "0003")],
    ["RFC 3489, without the cookie", hexOf(request())!.replace("2112a442", "00000000")],
    ["a length that is too small", good.replace("00010058", "00010054")],
    ["a length that is too large", good.replace("00010058", "0001005c")],
    ["a wrong fingerprint", good.replace("e57a3bcf", "e57a3bce")],
    ["a fingerprint of another length", hexOf(request("80280000"))],
    ["an attribute behind the fingerprint", hexOf(request("80280004 8efe89cd", "80220000"))],
    ["an attribute that ends outside", hexOf(request("80220008 00000000"))],
    ["the first byte of RTP", good.replace(/^00/u, "80")],
  ] as const) {
    expect(answerBinding(bytesOf(hex!), IPV4), why).toBeNull()
  }
  for (const request of [SAMPLE_REQUEST, ...CREDENTIALS]) {
    for (let length = 0; length < request.length; length++)
      expect(answerBinding(request.subarray(0, length), IPV4), `${length} bytes`).toBeNull()
  }
  const longest = `8022 ${(REQUEST_BYTES_MAX - 24).toString(16).padStart(4, "0")} ${"00".repeat(REQUEST_BYTES_MAX - 24)}`
  expect(answerBinding(request(longest), IPV4)).not.toBeNull()
  expect(answerBinding(request(longest, "80220000"), IPV4)).toBeNull()
})

test("drops a request from an address that cannot be answered", () => {
  expect(answerBinding(request(), { ...IPV4, port: 0 })).toBeNull()
  expect(answerBinding(request(), { ...IPV4, address: "" })).toBeNull()
})

test("never throws, and never sends more than the bound", () => {
  const attribute = fc
    .tuple(fc.integer({ min: 0, max: 0xffff }), fc.uint8Array({ maxLength: 24 }))
    .map(([type, value]) => {
      const padded = Buffer.concat([value, new Uint8Array((4 - (value.length % 4)) % 4)])
      return `${type.toString(16).padStart(4, "0")}${value.length.toString(16).padStart(4, "0")}${hexOf(padded)}`
    })
  const wellFormed = fc.array(attribute, { maxLength: 30 }).map((attributes) => request(...attributes))
  const mutated = fc
    .tuple(wellFormed, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.nat())
    .map(([bytes, changes, cut]) => {
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte
      return cut % 3 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes
    })
  const datagram = fc.oneof(fc.uint8Array({ maxLength: 600 }), wellFormed, mutated)
  const source = fc.record({
    address: fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()),
    port: fc.integer({ min: 0, max: 65_535 }),
  })
  let answers = 0
  fc.assert(
    fc.property(datagram, source, (bytes, from) => {
      const answer = answerBinding(bytes, from)
      if (answer === null) return
      answers += 1
      expect(answer.length - bytes.length).toBeLessThanOrEqual(ANSWER_GROWTH_BYTES_MAX)
      expect(answer.length / bytes.length).toBeLessThanOrEqual(2.2)
      expect(answer.length % 4).toBe(0)
    }),
    { numRuns: 3_000 },
  )
  expect(answers).toBeGreaterThan(300)
})
