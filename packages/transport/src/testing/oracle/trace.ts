/** One event of a simulated run. A run as JSON lines can be judged by an independent oracle. */
export type TraceEvent =
  | { t: number; e: "send"; p: string; m: string; v: string; s: string; a?: 1 }
  | { t: number; e: "deliver"; p: string; m: string; v: string; s: string; g?: number; a?: 1 }
  | { t: number; e: "view"; p: string; id: string; n: number; D: readonly string[]; T: readonly string[] }
  | { t: number; e: "trans" | "flush_req" | "flush" | "crash" | "recover"; p: string }
  | { t: number; e: "keyed"; p: string; id: string; key: string; module: string }
  /** The application got the message with this content, after its deliveries in the group. */
  | { t: number; e: "opened"; p: string; m: string; v: string; s: string; text: string }
  /** Faults have stopped for good, and these members can all reach one another. */
  | { t: number; e: "calm"; D: readonly string[] }
  | { t: number; e: "end" }
