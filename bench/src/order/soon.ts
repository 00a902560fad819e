/**
 * Runs a task in the next turn of the event loop. In a browser a message to oneself avoids the minimum delay of timers.
 */
export const soon: (task: () => void) => void =
  typeof setImmediate === "function" ? (task) => void setImmediate(task) : byMessage()

function byMessage(): (task: () => void) => void {
  const { port1, port2 } = new MessageChannel()
  const tasks: (() => void)[] = []
  port1.addEventListener("message", () => tasks.shift()!())
  port1.start()
  return (task) => {
    tasks.push(task)
    port2.postMessage(null)
  }
}
