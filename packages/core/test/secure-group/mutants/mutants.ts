/** Rules of the post-quantum keys, each with the edits that break it and the unit test that must fail then. */
import type { Mutant } from "../../../../transport/test/mutants/mutant.ts"

/** `package`: the one with the rule and the test. */
export type KeyMutant = Mutant & { readonly package: "core" | "gke"; readonly test: string }

const SCHEDULE = "agreement/schedule.ts"
const SCHEDULE_TEST = "schedule.test.ts"
const SEALING = "kem-ckd/kem-sealing.ts"
const RUN = "kem-ckd/kem-ckd-run.ts"
const MODULE = "kem-ckd/kem-ckd.ts"
const CODEC = "kem-ckd/kem-ckd-codec.ts"
const AGREEMENT_TEST = "kem/kem-ckd.test.ts"
const HYBRID_SCHEDULE_TEST = "secure-group/hybrid-schedule.test.ts"
const HYBRID_KEYS = "secure-group/hybrid-keys.ts"
const HYBRID_KEYS_TEST = "secure-group/hybrid-keys.test.ts"

const inPackage =
  (name: KeyMutant["package"]) =>
  (rule: string, test: string, file: string, find: string, replace: string): KeyMutant => ({
    name: rule,
    package: name,
    test,
    edits: [{ file, find, replace }],
  })
const gke = inPackage("gke")
const core = inPackage("core")

export const keyMutants: readonly KeyMutant[] = [
  // The combination.
  gke("no classical part", SCHEDULE_TEST, SCHEDULE, "joinSecrets(classical, postQuantum)", "postQuantum.slice()"),
  gke("no post-quantum part", SCHEDULE_TEST, SCHEDULE, "joinSecrets(classical, postQuantum)", "classical.slice()"),
  gke(
    "parts that cancel each other out",
    SCHEDULE_TEST,
    SCHEDULE,
    "joinSecrets(classical, postQuantum)",
    "classical.map((byte, i) => byte ^ postQuantum[i]!)",
  ),
  gke(
    "a key of any transcript",
    SCHEDULE_TEST,
    SCHEDULE,
    'utf8ToBytes("keymoot v1 hybrid epoch key"), sid, transcript',
    'utf8ToBytes("keymoot v1 hybrid epoch key"), sid',
  ),
  gke(
    "a key of any session",
    SCHEDULE_TEST,
    SCHEDULE,
    'utf8ToBytes("keymoot v1 hybrid epoch key"), sid, transcript',
    'utf8ToBytes("keymoot v1 hybrid epoch key"), transcript',
  ),
  gke("any mode in the sid", SCHEDULE_TEST, SCHEDULE, "input.cipher, input.postQuantum]", "input.cipher]"),
  gke(
    "any mode in the sid of majority",
    SCHEDULE_TEST,
    "majority/sid.ts",
    "session.viewId, cipher, postQuantum)",
    "session.viewId, cipher)",
  ),
  core(
    "proofs without the post-quantum transcript",
    HYBRID_KEYS_TEST,
    HYBRID_KEYS,
    '"keymoot v1 hybrid transcript", classical, postQuantum',
    '"keymoot v1 hybrid transcript", classical',
  ),
  core(
    "proofs without the classical transcript",
    HYBRID_SCHEDULE_TEST,
    HYBRID_KEYS,
    '"keymoot v1 hybrid transcript", classical, postQuantum',
    '"keymoot v1 hybrid transcript", postQuantum',
  ),
  core(
    "any mode in the post-quantum sid",
    HYBRID_SCHEDULE_TEST,
    HYBRID_KEYS,
    "`${cipher} ${postQuantum}`",
    "`${cipher}`",
  ),
  core(
    "any view in the post-quantum sid",
    HYBRID_SCHEDULE_TEST,
    HYBRID_KEYS,
    "descriptorHash, viewId, statementsDigest, names",
    "descriptorHash, statementsDigest, names",
  ),
  core(
    "a key before the post-quantum agreement ends",
    HYBRID_KEYS_TEST,
    HYBRID_KEYS,
    "if (!classical || !postQuantum) return",
    "if (!classical) return\n    if (!postQuantum) return void this.#outputs.push({ type: 'keyed', ...classical })",
  ),
  core(
    "a part of the view before",
    HYBRID_KEYS_TEST,
    HYBRID_KEYS,
    "statementsDigest: Uint8Array): readonly EpochKeysOutput[] {\n    this.#forget()\n",
    "statementsDigest: Uint8Array): readonly EpochKeysOutput[] {\n",
  ),

  // Seeds.
  gke(
    "a seed hashed forward although somebody left",
    AGREEMENT_TEST,
    RUN,
    "newcomers.length > 0 && seniors.length === base.seats.length",
    "newcomers.length > 0",
  ),
  gke(
    "a seed hashed forward although nobody came",
    AGREEMENT_TEST,
    RUN,
    "newcomers.length > 0 && seniors.length === base.seats.length",
    "seniors.length === base.seats.length",
  ),
  gke(
    "a leader that decides alone whether a seed is hashed forward",
    AGREEMENT_TEST,
    RUN,
    "    if (this.#isSenior(view.self) && message.isForward !== this.#isForward()) return null\n",
    "",
  ),
  gke(
    "the next seed is the last one",
    AGREEMENT_TEST,
    SEALING,
    'settleSecret(hashFields("keymoot v1 ml-kem next seed", seed, sid))',
    "seed.slice()",
  ),
  gke(
    "a fresh seed that anybody can compute",
    "kem/kem-sealing.test.ts",
    SEALING,
    'hashFields("keymoot v1 ml-kem fresh seed", random, sid)',
    'hashFields("keymoot v1 ml-kem fresh seed", sid)',
  ),
  gke(
    "a commitment that nobody checks",
    AGREEMENT_TEST,
    RUN,
    "if (seed && equalBytes(seedCommitment(seed, view.sid), message.commitment)) return seed",
    "if (seed) return seed",
  ),

  // Seals.
  gke(
    "a seal for any member",
    "kem/kem-sealing.test.ts",
    SEALING,
    "memberIdToBytes(leader), memberIdToBytes(member))\n  return withSealKey",
    "memberIdToBytes(leader))\n  return withSealKey",
  ),
  gke(
    "a seal of any leader",
    "kem/kem-sealing.test.ts",
    SEALING,
    "sid, memberIdToBytes(leader), memberIdToBytes(member))\n  return withSealKey",
    "sid, memberIdToBytes(member))\n  return withSealKey",
  ),
  gke(
    "a seal of any view",
    "kem/kem-sealing.test.ts",
    SEALING,
    "concatBytes(SEALING_KEY, sid, memberIdToBytes(leader)",
    "concatBytes(SEALING_KEY, memberIdToBytes(leader)",
  ),
  gke(
    "one ciphertext for two members",
    "kem/kem-sealing.test.ts",
    SEALING,
    "random, channel.sid, memberIdToBytes(channel.member))",
    "random, channel.sid)",
  ),

  // Keys of members.
  gke(
    "never a new key in turn",
    AGREEMENT_TEST,
    MODULE,
    "return epoch % turns === Math.floor(place / keysPerView)",
    "return epoch % turns === -1",
  ),
  gke(
    "a key that is not reduced",
    AGREEMENT_TEST,
    CODEC,
    "share.length > 0 ? isKemPublicKey(share) : standing !== null",
    "share.length > 0 || standing !== null",
  ),
  gke(
    "a newcomer without a key",
    AGREEMENT_TEST,
    CODEC,
    "share.length > 0 ? isKemPublicKey(share) : standing !== null",
    "share.length === 0 || isKemPublicKey(share)",
  ),
  gke(
    "a late key that is not reduced",
    "kem/kem-ckd-codec.test.ts",
    CODEC,
    'if (!isKemPublicKey(key)) throw new RangeError("the key is not reduced")',
    "",
  ),
  gke(
    "a key pair that stays in memory",
    AGREEMENT_TEST,
    RUN,
    "for (const secret of [this.#random, this.#secretKey, this.#input.pair.secretKey, this.#sent?.seed])",
    "for (const secret of [this.#random, this.#secretKey, this.#sent?.seed])",
  ),
]
