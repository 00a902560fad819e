/** Saves a file where the browser saves what is downloaded. */
export function save(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}
