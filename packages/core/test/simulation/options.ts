import { parseArgs } from "node:util"
import { KEY_AGREEMENT_NAMES } from "@keymoot/gke"
import { MEMBERS_MAX, MESH_MEMBERS_MAX } from "@keymoot/transport"
import type { KeyAgreementName } from "../../src/api/index.ts"

export const MODULES: readonly KeyAgreementName[] = [...KEY_AGREEMENT_NAMES, "majority"]

export type SimOptions = {
  readonly seed: number
  readonly members: number
  readonly events: number
  readonly module: KeyAgreementName | "none"
  readonly overlay: boolean
  readonly real: boolean
  readonly json: boolean
  readonly trace: string | null
  readonly log: string | null
}

/** The command line is invalid; the message says which values are valid. */
export class UsageError extends Error {}

export const USAGE = `npm run sim -- [options]: plays one conference under random faults and judges it

  --seed S       which run; the same seed is the same run, byte for byte (default 1)
  --members N    members, 1 to ${MEMBERS_MAX} (default 5)
  --events E     faults: crashes, partitions, cut and clogged links, sleepers, leavers, stray proposals… (default 12)
  --module M     key agreement on top: ${MODULES.join(", ")}, or none (default tgdh); hybrid if 3 divides the seed
  --overlay      a few links a member, and ways over them: so it is with more than ${MESH_MEMBERS_MAX} members anyway. Events are then view changes,
                 one each 10 virtual seconds: a newcomer, a crash, a split in three, its end
  --mesh         a link with everybody, and all kinds of faults, also with more members than that
  --real         ristretto255 and Ed25519 in the place of a toy group and of no signatures
  --json         one line of JSON in the place of sentences (npm run --silent sim keeps npm's own lines away from it)
  --trace FILE   the run as JSON lines, in order of virtual time
  --log FILE     the trace events of all members as lines: suspicions, view changes, keys, and who caused them
  --help         this

  npm run sim -- --seed 7 --members 6 --events 20
  npm run sim -- --members 300 --events 100 --module none

A violation of what the transport promises exits with 1, and is shown with as few of the faults as still lead to one.`

/** @throws UsageError; null for --help */
export function parseOptions(args: readonly string[]): SimOptions | null {
  const values = parsed(args)
  if (values.help) return null
  const { module = "tgdh" } = values
  const known = (["none", ...MODULES] as const).find((name) => name === module)
  if (!known) throw new UsageError(`--module is none or one of ${MODULES.join(", ")}, not "${module}".`)
  if (values.overlay && values.mesh) throw new UsageError("--overlay and --mesh exclude each other.")
  const members = wholeNumber("--members", values.members ?? "5", 1, MEMBERS_MAX)
  return {
    seed: wholeNumber("--seed", values.seed ?? "1", 0, 2 ** 32 - 1),
    members,
    events: wholeNumber("--events", values.events ?? "12", 0, 100_000),
    module: known,
    overlay: values.overlay ?? (members > MESH_MEMBERS_MAX && !values.mesh),
    real: values.real ?? false,
    json: values.json ?? false,
    trace: values.trace ?? null,
    log: values.log ?? null,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seed: { type: "string" },
        members: { type: "string" },
        events: { type: "string" },
        module: { type: "string" },
        trace: { type: "string" },
        log: { type: "string" },
        overlay: { type: "boolean" },
        mesh: { type: "boolean" },
        real: { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new UsageError(`${option} takes whole numbers from ${least} to ${most}, not "${text}".`)
  }
  return value
}
