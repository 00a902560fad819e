/**
 * Sends each publication to all subscribers of its topic, the publisher included: the protocol of y-webrtc's server.
 */
import type { Meeting } from "./contestant.ts"

export type Relay = {
  readonly publish: (topic: string, message: object) => void
  readonly subscribe: (topic: string, onMessage: (message: object) => void) => () => void
}

export async function openRelay(url: string): Promise<Relay> {
  const socket = new WebSocket(url)
  await new Promise((open) => socket.addEventListener("open", open, { once: true }))
  const tell = (message: object): void => socket.send(JSON.stringify(message))
  return {
    publish: (topic, message) => tell({ type: "publish", topic, message }),
    subscribe: (topic, onMessage) => {
      const stop = new AbortController()
      const hear = ({ data }: MessageEvent<string>): void => {
        const told = JSON.parse(data) as { topic: string; message: object }
        if (told.topic === topic) onMessage(told.message)
      }
      socket.addEventListener("message", hear, { signal: stop.signal })
      tell({ type: "subscribe", topics: [topic] })
      return () => stop.abort()
    },
  }
}

/** A relay between ends in one page. */
export function relayWithin(): Relay {
  const listeners = new Map<string, Set<(message: object) => void>>()
  return {
    publish: (topic, message) => {
      for (const listener of listeners.get(topic) ?? []) queueMicrotask(() => listener(message))
    },
    subscribe: (topic, onMessage) => {
      const all = listeners.get(topic) ?? new Set()
      listeners.set(topic, all.add(onMessage))
      return () => void all.delete(onMessage)
    },
  }
}

const HELLO_MS = 50

/** Signals between the two; what the second one says first makes the first one begin. */
export async function signalling(
  { openRelay, role }: Meeting,
  onSignal: (signal: object) => void,
): Promise<{ readonly signal: (signal: object) => void; readonly begun: Promise<void> }> {
  const { publish, subscribe } = await openRelay()
  const begun = Promise.withResolvers<void>()
  const heard = new AbortController()
  subscribe("pair", (message) => {
    const { from, signal } = message as { from: string; signal?: object }
    if (from === role) return
    if (signal) heard.abort()
    if (signal) onSignal(signal)
    else begun.resolve()
  })
  if (role === "second") {
    // Again, because the first one may not be listening yet.
    const timer = setInterval(() => publish("pair", { from: role }), HELLO_MS)
    heard.signal.addEventListener("abort", () => clearInterval(timer))
    begun.resolve()
  }
  return { signal: (signal) => publish("pair", { from: role, signal }), begun: begun.promise }
}
