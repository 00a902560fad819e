/** Own key agreement modules and the shipped ones against the rules, and one broken module for each rule. */
import { createKeyAgreement, type KeyAgreement, type KeyAgreementInput, KEY_AGREEMENT_NAMES } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { sha256 } from "@noble/hashes/sha2.js"
import { expect, test } from "vitest"
import { freshStar } from "../../../../examples/own-modules/key-agreement.js"
import { checkKeyAgreement, type KeyAgreementRule } from "../../src/conformance/index.ts"
import type { OwnKeyAgreement } from "../../src/secure-group/view-keys.ts"

test("the example breaks no rule", async () => {
  expect(await checkKeyAgreement(freshStar)).toEqual([])
})

test.each(KEY_AGREEMENT_NAMES)("%s breaks no rule", async (name) => {
  const own = { name: `own:${name}`, create: createKeyAgreement.bind(null, name) }
  expect(await checkKeyAgreement(own, createToyGroup())).toEqual([])
})

type Outputs = ReturnType<KeyAgreement["step"]>
/** The example with one change. */
const broken = (change: (machine: KeyAgreement, self: string) => Partial<KeyAgreement>): OwnKeyAgreement => ({
  name: "own:broken",
  create: (options) => {
    const machine = freshStar.create(options)
    const whole: KeyAgreement = {
      publicState: () => machine.publicState(),
      structure: () => machine.structure(),
      awaiting: () => machine.awaiting(),
      step: (input) => machine.step(input),
      erase: () => machine.erase(),
    }
    return { ...whole, ...change(machine, options.self) }
  },
})
/** Changes the secret, given the input that led to it. */
const otherSecret = (secretOf: (secret: Uint8Array, input: KeyAgreementInput) => Uint8Array) =>
  broken((machine) => {
    const step = (input: KeyAgreementInput): Outputs => {
      return machine
        .step(input)
        .map((output) => (output.type === "secret" ? { ...output, secret: secretOf(output.secret, input) } : output))
    }
    return { step }
  })
let steps = 0

/** The first member sends a secret that everybody can read. */
const inTheClear: OwnKeyAgreement = {
  name: "own:clear",
  create: ({ self }) => {
    let view: { readonly sid: Uint8Array; readonly leader: string } | null = null
    const step = (input: KeyAgreementInput): Outputs => {
      if (input.type === "contribute") return [{ type: "contribution", bytes: new Uint8Array(0) }]
      if (input.type === "view") {
        view = { sid: input.view.sid, leader: input.view.members[0]! }
        return view.leader === self ? [{ type: "multicast", bytes: sha256(input.random) }] : []
      }
      if (input.type !== "message" || input.from !== view?.leader) return []
      return [{ type: "secret", secret: sha256(input.bytes), transcript: view.sid.slice() }]
    }
    const nothing = new Uint8Array(0)
    return {
      step,
      awaiting: () => [],
      structure: () => null,
      erase: () => {},
      publicState: () => ({ hash: nothing, bytes: nothing }),
    }
  },
}

const BROKEN: readonly (readonly [KeyAgreementRule, string, OwnKeyAgreement])[] = [
  ["name", "has a built-in name", { ...freshStar, name: "tgdh" }],
  [
    "agreement",
    "gives one member another secret",
    broken((machine, self) => ({
      step: (input) =>
        machine
          .step(input)
          .map((output) =>
            output.type === "secret" && self.startsWith("64") ? { ...output, secret: sha256(output.secret) } : output,
          ),
    })),
  ],
  ["fresh-secrets", "repeats a secret", otherSecret(() => new Uint8Array(32).fill(1))],
  ["fresh-secrets", "has short secrets", otherSecret((secret) => secret.slice(1))],
  ["outsiders", "sends the secret in the clear", inTheClear],
  [
    "flush",
    "answers while it flushes",
    broken((machine) => {
      let flushing = false
      return {
        step: (input) => {
          if (input.type !== "message") flushing = input.type === "contribute"
          const outputs = machine.step(input)
          return flushing && input.type === "message"
            ? [...outputs, { type: "multicast", bytes: new Uint8Array(1) }]
            : outputs
        },
      }
    }),
  ],
  [
    "attachments",
    "throws on an empty attachment",
    broken((machine) => ({
      step: (input) => {
        if (input.type === "view" && [...input.view.attachments.values()].some(({ length }) => length === 0))
          throw new RangeError("no attachment")
        return machine.step(input)
      },
    })),
  ],
  [
    "attachments",
    "ignores a malformed attachment without a word",
    broken((machine) => ({
      awaiting: () => [],
      step: (input) =>
        machine.step(input).filter((output) => output.type !== "fault" || output.reason !== "malformed-attachment"),
    })),
  ],
  [
    "messages",
    "throws on a short message",
    broken((machine) => ({
      step: (input) => {
        if (input.type === "message" && input.bytes.length < 64) throw new RangeError("too short")
        return machine.step(input)
      },
    })),
  ],
  [
    "messages",
    "ignores malformed messages",
    broken((machine) => ({
      step: (input) => machine.step(input).filter(({ type }) => type !== "fault"),
    })),
  ],
  [
    "deterministic",
    "has randomness of its own",
    broken((machine) => ({
      step: (input) =>
        machine.step("random" in input ? { ...input, random: input.random.with(0, ++steps & 255) } : input),
    })),
  ],
  [
    "random-copy",
    "returns the random bytes themselves",
    otherSecret((secret, input) =>
      input.type === "view" && input.view.members.length === 1 ? input.random.subarray(0, 32) : secret,
    ),
  ],
  ["awaiting", "always waits for itself", broken((_, self) => ({ awaiting: () => [self as never] }))],
  ["awaiting", "never waits for anybody", broken(() => ({ awaiting: () => [] }))],
  ["structure", "shows nothing", broken(() => ({ structure: () => null }))],
  ["erase", "keeps its state", broken(() => ({ erase: () => {} }))],
]

test.each(BROKEN)("names the rule %s when a module %s", async (rule, _, own) => {
  expect((await checkKeyAgreement(own, createToyGroup())).map((each) => each.rule)).toContain(rule)
})
