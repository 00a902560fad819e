import { edit, type Mutant } from "./mutant.ts"

const NEIGHBOUR_TABLE = "overlay/discovery/neighbour-table.ts"
const EXCHANGE = "network/association/key-exchange.ts"
const TRANSCRIPT = "network/association/transcript.ts"
const REKEY = "network/association/rekey.ts"
const HYBRID_TEST = "network/association/association-hybrid.test.ts"

/** Rules of links and of the overlay. */
export const networkMutants: readonly Mutant[] = [
  {
    name: "drop the same neighbour as all others",
    test: "overlay/discovery.test.ts",
    edits: [edit(NEIGHBOUR_TABLE, "chosen[Math.floor(random() * chosen.length)]", "chosen[0]")],
  },
  {
    name: "close a silent neighbour's link at once",
    test: "overlay/discovery.test.ts",
    edits: [edit(NEIGHBOUR_TABLE, "linked ? SILENT_KEPT * this.#neighbourMs", "linked ? 0")],
  },
  {
    name: "return to a former session of a link",
    test: "network/paths/former-sessions.test.ts",
    edits: [edit("network/link/reliable-session.ts", "numberOf(own) < numberOf(this.#peer)", "false")],
  },
  {
    name: "begin the grace time of a link anew with each connection that ends",
    test: "network/paths/former-sessions.test.ts",
    edits: [edit("network/link/resumable-link.ts", "} else if (this.#up && !this.#lost) {", "} else if (this.#up) {")],
  },
  {
    name: "end a link while its next connection is being resumed",
    test: "network/paths/former-sessions.test.ts",
    edits: [edit("network/link/resumable-link.ts", "this.#extendGrace(this.#tickMs + RESUMING_MS)", "")],
  },
  {
    name: "number messages on from where a silent path stopped",
    test: "network/paths/path-changes.test.ts",
    edits: [
      edit("network/link/numbered-connection.ts", "if (first !== this.#outgoing)", "if (this.#outgoing === null)"),
    ],
  },
  // Hybrid links: secret while X25519 or ML-KEM holds.
  ...(
    [
      ["hop keys without ML-KEM", HYBRID_TEST, EXCHANGE, "    secret.set(kemSecret)\n", ""],
      ["hop keys without X25519", HYBRID_TEST, EXCHANGE, "    secret.set(classicalSecret, kemSecret.length)\n", ""],
      [
        "a handshake without a key",
        HYBRID_TEST,
        EXCHANGE,
        '    if (encapsulationKey.length < expectedBytes) return "no-encapsulation-key"\n',
        "    if (encapsulationKey.length < expectedBytes) return null\n",
      ],
      [
        "keys that do not depend on the key",
        HYBRID_TEST,
        TRANSCRIPT,
        "responder: withFingerprintBytes(responder),\n    encapsulationKey,",
        "responder: withFingerprintBytes(responder),\n    encapsulationKey: new Uint8Array(0),",
      ],
      [
        "a ciphertext of any length",
        HYBRID_TEST,
        EXCHANGE,
        '    if (!secret) return "bad-ciphertext"\n    this.#secrets.kemSecret = secret',
        "    this.#secrets.kemSecret = secret ?? new Uint8Array(32)",
      ],
      [
        "a rekey without ML-KEM",
        "network/association/rekey.test.ts",
        REKEY,
        "const hybrid = this.#kem && {",
        "const hybrid = null && {",
      ],
    ] as const
  ).map(([name, test, file, find, replace]) => ({ name, test, edits: [edit(file, find, replace)] })),
]
