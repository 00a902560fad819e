import { vi } from "vitest"
import { EntryRules } from "../../../src/admission/entry-rules.ts"
import { Outbox } from "../../../src/driver/outbox.ts"

/** Has all programs send whatever their own role is, until mocks are restored. They judge what arrives as before. */
export function ignoreOwnRole(): void {
  vi.spyOn(EntryRules.prototype, "role").mockReturnValue("editor")
  const { push } = Outbox.prototype
  vi.spyOn(Outbox.prototype, "push").mockImplementation(function (this: Outbox, outbound) {
    push.call(this, { ...outbound, permission: undefined })
  })
}
