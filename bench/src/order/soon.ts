/** The next turn of the event loop: Node has a call for it; in a browser, a message to oneself comes without the least wait that its timers have. */
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
