/* random.h - xorshift64*, for scheduling choices: fast, seedable, not for secrets. */
#ifndef ANT_BASE_RANDOM_H
#define ANT_BASE_RANDOM_H

#include <stdint.h>

struct ant__random {
    uint64_t state; /* never 0 */
};

/* Distinct streams from one seed: the finaliser spreads neighbouring stream numbers. */
static inline void ant__random_seed(struct ant__random *r, uint64_t seed, uint64_t stream)
{
    uint64_t z = seed + (stream + 1) * 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    r->state = (z ^ (z >> 31)) | 1;
}

static inline uint32_t ant__random_next(struct ant__random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return (uint32_t)((r->state * 0x2545f4914f6cdd1du) >> 32);
}

#endif
