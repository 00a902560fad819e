import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

/** Reachable bytes of this thread's heap, with its buffers. */
export function heapBytes(): number {
  // Objects with finalizers are freed by the second collection.
  for (let i = 0; i < 2; i++) collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
