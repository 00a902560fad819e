import { Directory, type DirectoryHandle, type ErrorCode, type IdentityHandle, KeymootError } from "@keymoot/core"
import { useState } from "react"

/**
 * Runs one action with this server's directory at a time. Returns null during another one, and after a failure, whose
 * code is `problem` until an action succeeds. No button is disabled or removed meanwhile: it would lose the focus.
 */
export function useDirectory() {
  const [problem, setProblem] = useState<ErrorCode | null>(null)
  const [working, setWorking] = useState(false)

  async function act<T>(
    openIdentity: () => Promise<IdentityHandle | null>,
    action: (directory: DirectoryHandle) => Promise<T>,
  ): Promise<T | null> {
    if (working) return null
    setWorking(true)
    try {
      const result = await withDirectory(await openIdentity(), action)
      setProblem(null)
      return result
    } catch (error) {
      setProblem(error instanceof KeymootError ? error.code : "internal")
      return null
    } finally {
      setWorking(false)
    }
  }

  return { problem, working, act }
}

/** Closes the identity afterwards. */
export async function withDirectory<T>(
  identity: IdentityHandle | null,
  action: (directory: DirectoryHandle) => Promise<T>,
): Promise<T> {
  try {
    const directory = await Directory.open({ server: location.origin, ...(identity && { identity }) })
    try {
      return await action(directory)
    } finally {
      directory.close()
    }
  } finally {
    await identity?.close()
  }
}
