import type { Person } from "../person.ts"

/** From a view without a key to the proofs of all its members. On the machine's clock. */
export type Agreement = { readonly sinceMs: number; readonly untilMs: number }

const LINE = /^(\d\d:\d\d:\d\d\.\d{3}) [\da-f]{8} secure-group \w+ (agreeing|secured) /u

/** The agreements of this person's engine from here on, as its trace has them. The list grows. */
export function watchAgreements({ page }: Person): readonly Agreement[] {
  const agreements: Agreement[] = []
  let sinceMs: number | null = null
  page.on("console", (message) => {
    const [, time, event] = LINE.exec(message.text()) ?? []
    if (time === undefined) return
    const atMs = Date.parse(`${new Date().toISOString().slice(0, 11)}${time}Z`)
    if (event === "agreeing") return void (sinceMs ??= atMs)
    if (sinceMs !== null) agreements.push({ sinceMs, untilMs: atMs })
    sinceMs = null
  })
  return agreements
}
