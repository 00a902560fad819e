/** Calls for conferences that are not open here: checks of the options, their defaults, and cancellation. */
import {
  KeymootError,
  type CreateOptions,
  type IdentityHandle,
  type JoinOptions,
  type OpenKeptOptions,
  type ResumeOptions,
  type ScheduledConference,
  type ScheduleOptions,
} from "../api/index.ts"
import { POST_QUANTUM_DEFAULT } from "../conference/defaults.ts"
import type { ConferenceInfo, LeaveParams } from "../rpc/protocol.ts"
import { aborted, type EngineConnection } from "./connection/engine-connection.ts"
import { askAside, connectionOf } from "./identity.ts"
import { assertCreateOptions, assertJoinOptions, assertResumeOptions, assertScheduleOptions } from "./options.ts"

const DURATION_MS_DEFAULT = 24 * 60 * 60 * 1000

/** A conference that the engine has entered, and the connection to that engine. */
export type EnteredConference = { readonly connection: EngineConnection; readonly info: ConferenceInfo }

/** See `Conference.create`. */
export async function createConference(input: CreateOptions): Promise<EnteredConference> {
  assertCreateOptions(input)
  const { identity, signal, ...options } = input
  return enter(identity, { signal, forget: true }, (connection) =>
    connection.call("conference.create", {
      ...madeOf(options),
      localCopy: options.localCopy ?? true,
      transportPolicy: options.ice?.transportPolicy ?? "all",
    }),
  )
}

/** See `Conference.schedule`. */
export async function scheduleConference(input: ScheduleOptions): Promise<ScheduledConference> {
  assertScheduleOptions(input)
  const { identity, signal, ...options } = input
  return unlessCalledOff(connectionBehind(identity), { signal, forget: true }, (connection) =>
    connection.call("conference.schedule", { ...madeOf(options), opensAtMs: options.opensAtMs }),
  )
}

/** See `Conference.join`. */
export async function joinConference(input: JoinOptions): Promise<EnteredConference> {
  assertJoinOptions(input)
  const { identity, url, signal, localCopy, ice } = input
  const transportPolicy = ice?.transportPolicy ?? "all"
  return enter(identity, { signal, forget: "if-new" }, (connection) =>
    connection.call("conference.join", { url, localCopy: localCopy ?? true, transportPolicy }),
  )
}

/** See `Conference.resume`. */
export async function resumeConference(input: ResumeOptions): Promise<EnteredConference> {
  assertResumeOptions(input)
  const { identity, id, signal, late, localCopy, ice } = input
  const transportPolicy = ice?.transportPolicy ?? "all"
  return enter(identity, { signal, forget: false }, (connection) =>
    connection.call("conference.resume", {
      id,
      late: late ?? false,
      localCopy: localCopy ?? true,
      transportPolicy,
    }),
  )
}

/** See `Conference.openKept`. */
export async function openKeptConference(input: OpenKeptOptions): Promise<EnteredConference> {
  assertResumeOptions(input)
  const { identity, id, signal } = input
  return enter(identity, { signal, forget: false }, (connection) => connection.call("conference.openKept", { id }))
}

async function enter(
  identity: IdentityHandle,
  how: Parameters<typeof unlessCalledOff>[1],
  call: (connection: EngineConnection) => Promise<ConferenceInfo>,
): Promise<EnteredConference> {
  const connection = connectionBehind(identity)
  return { connection, info: await unlessCalledOff(connection, how, call) }
}

/**
 * Returns the engine's answer unless the caller cancels first. Then it rejects at once, and leaves the conference as
 * soon as it has been entered. `forget`: see `LeaveParams`.
 * @throws KeymootError `invalid-argument`, `aborted`, and as the call
 */
async function unlessCalledOff<T extends { readonly id: string }>(
  connection: EngineConnection,
  { signal, forget }: { readonly signal: AbortSignal | undefined; readonly forget: LeaveParams["forget"] },
  call: (connection: EngineConnection) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw aborted()
  const entering = call(connection)
  if (!signal) return entering
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(aborted())
      entering.then((entered) => undo(connection, entered, forget)).catch(() => undefined)
    }
    const settled = (): void => signal.removeEventListener("abort", giveUp)
    signal.addEventListener("abort", giveUp, { once: true })
    entering.finally(settled).then(resolve, reject)
  })
}

async function undo(connection: EngineConnection, entered: { id: string }, forget: LeaveParams["forget"]) {
  const { id } = entered
  // Discards events until the conference is left. A later call that enters again must not get its end.
  if ("view" in entered) connection.listen(id, () => undefined)
  await connection.call("conference.leave", { id, forget })
}

/** @throws KeymootError `invalid-argument` */
export function connectionBehind(identity: IdentityHandle): EngineConnection {
  const connection = connectionOf.get(identity)
  if (!connection) throw new KeymootError("invalid-argument", "Pass an identity from Identity.open({ name }).")
  return connection
}

/** Settings of a new conference, which can't change later. */
export function madeOf(options: Omit<CreateOptions, "identity" | "signal">) {
  return {
    server: options.server,
    title: options.title ?? "",
    keyAgreement: options.keyAgreement ?? "tgdh",
    admission: options.admission ?? { policy: "link" },
    history: options.history ?? "everything",
    authenticity: options.authenticity ?? "signature",
    cipher: options.cipher ?? "aes-256-gcm",
    postQuantum: options.postQuantum ?? POST_QUANTUM_DEFAULT,
    durationMs: options.durationMs ?? DURATION_MS_DEFAULT,
  } as const
}

/** Runs a call. Without an identity it uses an engine that has none. @throws KeymootError `invalid-argument` */
export async function aside<T>(
  identity: IdentityHandle | undefined,
  call: (connection: EngineConnection) => Promise<T>,
): Promise<T> {
  return identity ? call(connectionBehind(identity)) : askAside(call)
}
