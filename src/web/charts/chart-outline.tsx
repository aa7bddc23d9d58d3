import { Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { chartHeight } from './chart.tsx'

/** As tall as a chart with the lines around it. */
export function ChartOutline({ legend }: { readonly legend: ReactNode }) {
  return (
    <Stack role="status">
      <VisuallyHidden>Loading…</VisuallyHidden>
      <Skeleton width={220}>
        <Text size="sm">&nbsp;</Text>
      </Skeleton>
      <Skeleton height={chartHeight} />
      {legend}
      <Skeleton height={24} width={140} />
    </Stack>
  )
}
