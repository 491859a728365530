import { Portal } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import classes from './notifications.module.css'

/** All notices, in a strip below the content, which gets shorter while there are any. */
export function NotificationStrip() {
  return (
    <Portal>
      <div ref={reserveHeight} className={`notices ${classes.strip}`}>
        <Notifications withinPortal={false} position="bottom-left" limit={2} transitionDuration={0} />
      </div>
    </Portal>
  )
}

/** Writes the height of the strip to a CSS variable, from which the content above takes its height. */
function reserveHeight(strip: HTMLDivElement): () => void {
  const size = new ResizeObserver(() => {
    const { top, height } = strip.getBoundingClientRect()
    document.documentElement.style.setProperty('--notices-height', `${height}px`)
    // What the user is working on stays visible.
    const { activeElement } = document
    if (!activeElement || strip.contains(activeElement) || activeElement === document.body) return
    if (activeElement.getBoundingClientRect().bottom > top) activeElement.scrollIntoView({ block: 'nearest' })
  })
  size.observe(strip, { box: 'border-box' })
  return () => {
    size.disconnect()
    document.documentElement.style.removeProperty('--notices-height')
  }
}
