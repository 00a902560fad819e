/** How an application gets into a conference, or looks at one from outside: what goes before and after the engine's call. */
import { KeymootError, type CreateOptions, type IdentityHandle } from "../api.ts"
import { aborted, type EngineConnection } from "./engine-connection.ts"
import { askAside, connectionOf } from "./identity.ts"

const DURATION_MS_DEFAULT = 24 * 60 * 60 * 1000

/**
 * What the engine answers, unless the caller loses interest before: then it waits for nothing, and the conference is left
 * again as soon as it has been entered. `forget`: there is nothing of an earlier life here to be kept.
 * @throws KeymootError `invalid-argument`, `aborted`, and as the call
 */
export async function unlessCalledOff<T extends { readonly id: string }>(
  connection: EngineConnection,
  { signal, forget }: { readonly signal: AbortSignal | undefined; readonly forget: boolean },
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

async function undo(connection: EngineConnection, entered: { readonly id: string }, forget: boolean): Promise<void> {
  const { id } = entered
  // What it says until it has been left is for nobody; who enters again is not to hear of its end.
  if ("view" in entered) connection.listen(id, () => undefined)
  await connection.call("conference.leave", { id, forget })
}

/** @throws KeymootError `invalid-argument` */
export function connectionBehind(identity: IdentityHandle): EngineConnection {
  const connection = connectionOf.get(identity)
  if (!connection) throw new KeymootError("invalid-argument", "Give an identity from Identity.open({ name }).")
  return connection
}

/** What a conference is made with; it cannot be changed later. */
export function madeOf(options: Omit<CreateOptions, "identity" | "signal">) {
  return {
    server: options.server,
    title: options.title ?? "",
    keyAgreement: options.keyAgreement ?? "tgdh",
    admission: options.admission ?? { policy: "link" },
    history: options.history ?? "everything",
    authenticity: options.authenticity ?? "signature",
    durationMs: options.durationMs ?? DURATION_MS_DEFAULT,
  } as const
}

/** Without an identity, of an engine that has none. */
export async function aside<T>(
  identity: IdentityHandle | undefined,
  call: (connection: EngineConnection) => Promise<T>,
): Promise<T> {
  const own = identity && connectionOf.get(identity)
  return own ? call(own) : askAside(call)
}
