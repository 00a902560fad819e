/** From a goodbye, or a crash without one, to a new secured view at all who stay. */
import type { LinkedMember } from "@keymoot/core/testing"
import type { InMemoryRoom } from "./room.ts"

/** The members are as many as before afterwards, after a rest in which everything is settled. */
export async function viewChange(room: InMemoryRoom, event: "leave" | "crash"): Promise<number> {
  const count = room.members.length
  const [gone] = room.members as [LinkedMember]
  const startMs = performance.now()
  room.forget(gone)
  const went = event === "leave" ? gone.leave() : gone.crash()
  await room.secured(count - 1)
  const tookMs = performance.now() - startMs
  await went
  await room.join()
  await room.secured(count)
  await new Promise((done) => setTimeout(done, 500))
  return tookMs
}
