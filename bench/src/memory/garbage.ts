import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

/** Of this thread's own heap: what is reachable, and the bytes of its buffers. */
export function heapBytes(): number {
  // What has finalizers is gone after the second.
  for (let i = 0; i < 2; i++) collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
