import { readFileSync } from "node:fs"

/** UDP datagrams of all programs that full receive buffers have dropped since the start. Null if not Linux. */
export function udpDrops(): number | null {
  if (process.platform !== "linux") return null
  const lines = readFileSync("/proc/net/snmp", "utf8").split("\n")
  const [names, values] = lines.filter((line) => line.startsWith("Udp:")).map((line) => line.split(" "))
  return Number(values![names!.indexOf("RcvbufErrors")])
}
