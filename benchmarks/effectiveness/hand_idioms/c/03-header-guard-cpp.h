#ifndef TELESCOPE_H
#define TELESCOPE_H

#include <stdint.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct telescope telescope_t;

telescope_t *telescope_create(uint32_t aperture);
void telescope_destroy(telescope_t *t);
bool telescope_is_open(const telescope_t *t);
int telescope_set_angle(telescope_t *t, double angle);

#ifdef __cplusplus
}
#endif

#endif /* TELESCOPE_H */
