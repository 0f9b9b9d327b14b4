import { configure } from '@testing-library/react'

// Two cores may be busy with other things.
configure({ asyncUtilTimeout: 5000 })
