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
export interface Place {
  right: number
  bottom: number
}

const MARGIN = 12
const STEP = 8
/** Between a notice and the nearest control. */
const GAP = 4

/**
 * The place nearest to the bottom right corner where a notice covers no control. Without one, `covers` is true, and the
 * place is the corner.
 */
export function freePlace(
  screen: Size,
  notice: Size,
  controls: readonly Area[],
): Place & { covers: boolean } {
  let best: (Place & { covers: boolean }) | undefined
  let shortest = Number.POSITIVE_INFINITY
  for (let bottom = MARGIN; bottom + notice.height + MARGIN <= screen.height; bottom += STEP)
    for (let right = MARGIN; right + notice.width + MARGIN <= screen.width; right += STEP) {
      const distance = right + bottom
      if (distance >= shortest) break
      if (controls.some((control) => overlaps(areaOf(screen, notice, { right, bottom }), control))) continue
      shortest = distance
      best = { right, bottom, covers: false }
    }
  return best ?? { right: MARGIN, bottom: MARGIN, covers: true }
}

const areaOf = (screen: Size, notice: Size, { right, bottom }: Place): Area => ({
  left: screen.width - right - notice.width,
  top: screen.height - bottom - notice.height,
  right: screen.width - right,
  bottom: screen.height - bottom,
})

const overlaps = (one: Area, other: Area): boolean =>
  one.left < other.right + GAP &&
  other.left - GAP < one.right &&
  one.top < other.bottom + GAP &&
  other.top - GAP < one.bottom
