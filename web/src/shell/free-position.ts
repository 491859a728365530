/** A rectangle on the screen, in pixels from its top left corner. */
export interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

interface Size {
  width: number
  height: number
}

/** The distance of a notice from the bottom right corner. */
export interface Position {
  right: number
  bottom: number
}

const MARGIN = 12
const STEP = 8
/** The least distance between a notice and a control. */
const GAP = 4

/**
 * The position nearest to the bottom right corner where a notice covers no control. If there is none, the position
 * where the most covered control is covered the least.
 * @returns `covered`: the largest share of a control that the notice covers there, from 0 to 1
 */
export function freePosition(
  screen: Size,
  notice: Size,
  controls: readonly Area[],
): Position & { covered: number } {
  let best = { right: MARGIN, bottom: MARGIN, covered: Number.POSITIVE_INFINITY }
  let shortest = Number.POSITIVE_INFINITY
  for (let bottom = MARGIN; bottom + notice.height + MARGIN <= screen.height; bottom += STEP)
    for (let right = MARGIN; right + notice.width + MARGIN <= screen.width; right += STEP) {
      const distance = right + bottom
      if (best.covered === 0 && distance >= shortest) break
      const covered = mostCovered(areaOf(screen, notice, { right, bottom }), controls, best.covered)
      if (covered > best.covered || (covered === best.covered && distance >= shortest)) continue
      shortest = distance
      best = { right, bottom, covered }
    }
  return best
}

/** The largest share of a control that the area covers, or any share above `enough`. */
function mostCovered(area: Area, controls: readonly Area[], enough: number): number {
  let most = 0
  for (const control of controls) {
    most = Math.max(most, partCovered(area, control))
    if (most > enough) break
  }
  return most
}

const areaOf = (screen: Size, notice: Size, { right, bottom }: Position): Area => ({
  left: screen.width - right - notice.width,
  top: screen.height - bottom - notice.height,
  right: screen.width - right,
  bottom: screen.height - bottom,
})

/** A control that is nearer than the gap counts as slightly covered. */
function partCovered(area: Area, control: Area): number {
  const width = Math.min(area.right, control.right) - Math.max(area.left, control.left)
  const height = Math.min(area.bottom, control.bottom) - Math.max(area.top, control.top)
  if (width <= -GAP || height <= -GAP) return 0
  const whole = (control.right - control.left) * (control.bottom - control.top)
  return Math.max((Math.max(width, 0) * Math.max(height, 0)) / whole, Number.EPSILON)
}
