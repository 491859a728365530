/**
 * Calls a function once the browser has painted what is on screen now: what runs in the same frame would be laid out and
 * painted together with it.
 * @returns a function that cancels the call
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
