const RETRY_MS = 1000
const BYTES = ["descriptor", "advertisement", "envelope"]

/**
 * Signalling over your own WebSocket: Keymoot's commands go out as JSON, its events come in, and nothing here needs to
 * understand them. Keymoot seals and signs what it sends, and checks what comes.
 * @param {string} address
 * @returns {import("@keymoot/core").BootstrapFactory}
 */
export function signallingOver(address) {
  return (onEvent) => {
    let server = ""
    let socket = null
    let retry = 0
    let users = 0
    /** A request without a connection waits for one. */
    let waiting = []

    function connect() {
      const opened = new WebSocket(address)
      socket = opened
      opened.addEventListener("open", () => {
        onEvent({ type: "bootstrap-state", server, state: "up" })
        for (const text of waiting) opened.send(text)
        waiting = []
      })
      opened.addEventListener("message", ({ data }) => {
        if (socket === opened) onEvent({ ...JSON.parse(data, toBytes), server })
      })
      opened.addEventListener("close", () => {
        if (socket !== opened) return
        onEvent({ type: "bootstrap-state", server, state: "down" })
        retry = setTimeout(connect, RETRY_MS)
      })
    }
    function close() {
      clearTimeout(retry)
      const closing = socket
      socket = null
      closing?.close()
    }
    return {
      post(command) {
        if (command.type === "bootstrap-connect") {
          server = command.server
          if (users++ === 0) connect()
        } else if (command.type === "bootstrap-disconnect") {
          if (--users === 0) close()
        } else if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command, toText))
        else if ("request" in command) waiting.push(JSON.stringify(command, toText))
      },
      close,
    }
  }
}

const toText = (_key, value) => (value instanceof Uint8Array ? btoa(String.fromCharCode(...value)) : value)
const toBytes = (key, value) =>
  BYTES.includes(key) ? Uint8Array.from(atob(value), (character) => character.charCodeAt(0)) : value
