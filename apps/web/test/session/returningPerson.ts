import { Identity } from "@keymoot/core"
import { vi } from "vitest"

/** Ada opens a page of a conference that she has entered before. No other tab answers. */
export function comeBack(): void {
  vi.stubGlobal(
    "BroadcastChannel",
    class extends EventTarget {
      postMessage() {}
      close() {}
    },
  )
  vi.spyOn(Identity, "enteredAs").mockResolvedValue({ name: "Ada", id: "1" })
  vi.spyOn(Identity, "open").mockResolvedValue({ close: async () => undefined } as never)
}
