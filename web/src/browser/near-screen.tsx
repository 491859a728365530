import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { usePrinting } from './printing.ts'

/** How far below the window something is rendered before it is scrolled into view. */
const MARGIN = '0px 0px 50%'

interface NearScreenProps {
  children: ReactNode
  /** A placeholder of about the same size, shown until then. */
  fallback: ReactNode
}

/** Renders its children once they are about to be scrolled into view or printed, so that phones start sooner. */
export function NearScreen({ children, fallback }: NearScreenProps) {
  const [isNear, setIsNear] = useState(false)
  const isPrinting = usePrinting()
  const position = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNear || isPrinting || !position.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        // A transition lets input through.
        if (entries.some(({ isIntersecting }) => isIntersecting)) startTransition(() => setIsNear(true))
      },
      { rootMargin: MARGIN },
    )
    observer.observe(position.current)
    return () => observer.disconnect()
  }, [isNear, isPrinting])
  return isNear || isPrinting ? children : <div ref={position}>{fallback}</div>
}
