import { execFileSync } from "node:child_process"

type Process = { readonly pid: number; readonly parent: number; readonly command: string }

/** How Chromium starts the processes that run pages. */
const TAB = /--type=renderer\b/u

/**
 * Kills the processes that run the pages of a Chromium, as a system without memory does. No page gets an event or can
 * write anything any more, and the browser itself continues.
 */
export function killTabs(browser: number): void {
  const tabs = descendantsOf(browser, runningProcesses()).filter(({ command }) => TAB.test(command))
  if (tabs.length === 0) throw new Error(`Process ${browser} runs no pages: the browser starts them differently here.`)
  for (const { pid } of tabs) process.kill(pid, "SIGKILL")
}

function runningProcesses(): Process[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 1 << 26 }).split("\n")
  return lines.flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*?)\s*$/u.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

function descendantsOf(pid: number, running: readonly Process[]): Process[] {
  const children = running.filter(({ parent }) => parent === pid)
  return [...children, ...children.flatMap((child) => descendantsOf(child.pid, running))]
}
