const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a JSON text is nested deeper than this, without parsing it. Stops at the first level that is too deep. */
export function isDeeperThan(levels: number, json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfText(json, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      if (depth > levels) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
  }
  return false
}

/** The position of the quote that ends a text. */
function endOfText(json: string, start: number): number {
  let end = start
  do {
    end = json.indexOf('"', end + 1)
    if (end < 0) return json.length
  } while (isEscaped(json, end))
  return end
}

function isEscaped(json: string, at: number): boolean {
  let start = at
  while (json.charCodeAt(start - 1) === BACKSLASH) start -= 1
  return (at - start) % 2 === 1
}
