import { expect, test } from "vitest"
import { conferenceCode, KeyAgreementError, pairCode } from "@keymoot/gke"

const filled = (value: number, length = 32): Uint8Array => new Uint8Array(length).fill(value)

test("the conference code is the same at all members, in any order of certificates", () => {
  const code = "42419 65270 12398 63773 70255 41219 68936 57914 36016 03254 52724 70507"
  expect(conferenceCode(filled(2), [filled(4), filled(5)])).toBe(code)
  expect(conferenceCode(filled(2), [filled(5), filled(4)])).toBe(code)
  expect(code).toMatch(/^\d{5}( \d{5}){11}$/)
})

test("the conference code changes with the membership and the descriptor", () => {
  const codes = [
    conferenceCode(filled(2), [filled(4), filled(5)]),
    conferenceCode(filled(2), [filled(4)]),
    conferenceCode(filled(2), [filled(4), filled(6)]),
    conferenceCode(filled(3), [filled(4), filled(5)]),
  ]
  expect(new Set(codes).size).toBe(4)
})

test("the pair code is the same on both screens", () => {
  const code = "70102 38009 13823 11244 16555 86558 20615 52375 65126 28979 18711 61302"
  expect(pairCode(filled(4), filled(5))).toBe(code)
  expect(pairCode(filled(5), filled(4))).toBe(code)
  expect(code).toMatch(/^\d{5}( \d{5}){11}$/)
  expect(pairCode(filled(4), filled(6))).not.toBe(code)
})

test("a code with oneself, or over something that is no key, is refused", () => {
  expect(() => pairCode(filled(4), filled(4))).toThrow(KeyAgreementError)
  expect(() => pairCode(filled(4, 31), filled(5))).toThrow(KeyAgreementError)
  expect(() => conferenceCode(filled(2), [filled(4, 20)])).toThrow(KeyAgreementError)
})
