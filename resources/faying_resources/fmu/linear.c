/* A linear model x' = A x + B u, y = C x + D u as a functional mock-up unit (FMI 2.0.4), for co-simulation and for
 * model exchange. It needs the C library alone. The matrices are in model.h, which Faying writes for each model.
 *
 * Value references count inputs, outputs, states and derivatives of states, in this order, from 0.
 *
 * A step of co-simulation is exact for inputs that are constant or grow linearly in it (Van Loan, IEEE Trans. Autom.
 * Control 23, 1978): with M = h [A B 0; 0 0 I/h; 0 0 0], the first rows of exp(M) are the factors of x, u and h u'.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* A name that the importing program puts before each function where it links several units into one program. */
#ifdef FMI2_FUNCTION_PREFIX
#define JOINED(a, b) a##b
#define WITH_PREFIX(a, b) JOINED(a, b)
#define FMI(name) WITH_PREFIX(FMI2_FUNCTION_PREFIX, name)
#else
#define FMI(name) name
#endif

enum { OK = 0, WARNING = 1, DISCARD = 2, ERROR = 3 };
enum { FIRST_OUTPUT = INPUTS, FIRST_STATE = INPUTS + OUTPUTS, FIRST_RATE = INPUTS + OUTPUTS + STATES };
enum { SIZE = STATES + 2 * INPUTS }; /* of M */

typedef void (*Logger)(void *environment, const char *instance, int status, const char *category, const char *message, ...);

typedef struct {
    Logger logger;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(void *, int);
    void *environment;
} Callbacks;

typedef struct {
    int new_discrete_states_needed, terminate, nominals_changed, states_changed, next_event_defined;
    double next_event;
} Events;

/* What changes during a simulation, and what a state of the unit holds. */
typedef struct {
    double time, x[STATES], u[INPUTS], slope[INPUTS];
} Moment;

typedef struct {
    Moment now;
    double step, *factors; /* of the last length of step: STATES rows of exp(M) */
    Logger logger;
    void *environment;
    char *name;
} Unit;

static int failed(const Unit *unit, const char *message)
{
    if (unit->logger) unit->logger(unit->environment, unit->name, ERROR, "error", message);
    return ERROR;
}

/* r = a b, both n x n */
static void multiply(int n, const double *a, const double *b, double *r)
{
    int i, j, k;
    memset(r, 0, sizeof(double) * n * n);
    for (i = 0; i < n; i++)
        for (k = 0; k < n; k++) {
            const double factor = a[i * n + k];
            if (factor != 0.0)
                for (j = 0; j < n; j++) r[i * n + j] += factor * b[k * n + j];
        }
}

/* Keeps the first rows of exp(M) for steps of a length. */
static int prepare(Unit *unit, double h)
{
    const int n = SIZE;
    int i, j, k, halvings = 0;
    double norm = 0.0, *m = calloc(3 * (size_t)n * n, sizeof(double)), *f = m + n * n, *work = f + n * n, *swapped;

    if (!m) return failed(unit, "There is not enough memory for a step.");
    for (i = 0; i < STATES; i++) {
        for (j = 0; j < STATES; j++) m[i * n + j] = h * A[i * STATES + j];
        for (j = 0; j < INPUTS; j++) m[i * n + STATES + j] = h * B[i * INPUTS + j];
    }
    for (j = 0; j < INPUTS; j++) m[(STATES + j) * n + STATES + INPUTS + j] = 1.0;
    for (i = 0; i < n; i++) {
        double sum = 0.0;
        for (j = 0; j < n; j++) sum += fabs(m[i * n + j]);
        if (sum > norm) norm = sum;
    }
    if (!(norm < 1e300)) {
        free(m);
        return failed(unit, "The length of the step is no finite number.");
    }
    while (ldexp(norm, -halvings) > 0.5) halvings++;
    for (i = 0; i < n * n; i++) m[i] = ldexp(m[i], -halvings);

    /* F = exp(M / 2^s) - I by its series, nested: F <- M / k (I + F); terms after the 18th are below 1e-21. */
    for (k = 18; k >= 1; k--) {
        for (i = 0; i < n; i++) f[i * n + i] += 1.0;
        multiply(n, m, f, work);
        for (i = 0; i < n * n; i++) f[i] = work[i] / k;
    }
    /* exp(2 M) - I = F F + 2 F, which keeps the digits of slow motions next to fast ones. */
    for (; halvings > 0; halvings--) {
        multiply(n, f, f, work);
        for (i = 0; i < n * n; i++) work[i] += 2.0 * f[i];
        swapped = f, f = work, work = swapped;
    }
    for (i = 0; i < n; i++) f[i * n + i] += 1.0;
    memcpy(unit->factors, f, sizeof(double) * STATES * n);
    unit->step = h;
    free(m);
    return OK;
}

static double rate(const Moment *at, int state)
{
    int j;
    double sum = 0.0;
    for (j = 0; j < STATES; j++) sum += A[state * STATES + j] * at->x[j];
    for (j = 0; j < INPUTS; j++) sum += B[state * INPUTS + j] * at->u[j];
    return sum;
}

static double output(const Moment *at, int row)
{
    int j;
    double sum = 0.0;
    for (j = 0; j < STATES; j++) sum += C[row * STATES + j] * at->x[j];
    for (j = 0; j < INPUTS; j++) sum += D[row * INPUTS + j] * at->u[j];
    return sum;
}

EXPORT const char *FMI(fmi2GetTypesPlatform)(void) { return "default"; }

EXPORT const char *FMI(fmi2GetVersion)(void) { return "2.0"; }

EXPORT int FMI(fmi2SetDebugLogging)(void *c, int on, size_t count, const char *const categories[])
{
    (void)c, (void)on, (void)count, (void)categories;
    return OK;
}

EXPORT void *FMI(fmi2Instantiate)(const char *name, int type, const char *guid, const char *resources,
                                  const Callbacks *callbacks, int visible, int logging)
{
    Unit *unit = calloc(1, sizeof(Unit));
    (void)type, (void)resources, (void)visible, (void)logging;
    if (!unit) return NULL;
    unit->logger = callbacks ? callbacks->logger : NULL;
    unit->environment = callbacks ? callbacks->environment : NULL;
    unit->step = -1.0; /* none yet */
    unit->name = calloc(strlen(name ? name : "") + 1, 1);
    unit->factors = calloc((size_t)STATES * SIZE, sizeof(double));
    if (unit->name) strcpy(unit->name, name ? name : "");
    if (!unit->name || !unit->factors || !guid || strcmp(guid, GUID) != 0) {
        failed(unit, "The description is not the one that this unit was written with, or there is no memory.");
        free(unit->name), free(unit->factors), free(unit);
        return NULL;
    }
    return unit;
}

EXPORT void FMI(fmi2FreeInstance)(void *c)
{
    Unit *unit = c;
    if (!unit) return;
    free(unit->name), free(unit->factors), free(unit);
}

EXPORT int FMI(fmi2SetupExperiment)(void *c, int tolerance_defined, double tolerance, double start, int stop_defined,
                                    double stop)
{
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    ((Unit *)c)->now.time = start;
    return OK;
}

EXPORT int FMI(fmi2EnterInitializationMode)(void *c) { return (void)c, OK; }

EXPORT int FMI(fmi2ExitInitializationMode)(void *c) { return (void)c, OK; }

EXPORT int FMI(fmi2Terminate)(void *c) { return (void)c, OK; }

EXPORT int FMI(fmi2Reset)(void *c)
{
    memset(&((Unit *)c)->now, 0, sizeof(Moment));
    return OK;
}

EXPORT int FMI(fmi2GetReal)(void *c, const unsigned references[], size_t count, double values[])
{
    const Unit *unit = c;
    size_t k;
    for (k = 0; k < count; k++) {
        const int at = (int)references[k];
        if (references[k] >= FIRST_RATE + STATES) return failed(unit, "There is no variable with this reference.");
        values[k] = at < FIRST_OUTPUT  ? unit->now.u[at]
                    : at < FIRST_STATE ? output(&unit->now, at - FIRST_OUTPUT)
                    : at < FIRST_RATE  ? unit->now.x[at - FIRST_STATE]
                                       : rate(&unit->now, at - FIRST_RATE);
    }
    return OK;
}

EXPORT int FMI(fmi2SetReal)(void *c, const unsigned references[], size_t count, const double values[])
{
    Unit *unit = c;
    size_t k;
    for (k = 0; k < count; k++) {
        const unsigned at = references[k];
        if (at < FIRST_OUTPUT) unit->now.u[at] = values[k];
        else if (at >= FIRST_STATE && at < FIRST_RATE) unit->now.x[at - FIRST_STATE] = values[k];
        else return failed(unit, "Only inputs and states can be set.");
    }
    return OK;
}

/* All variables are real numbers: a call for none of another type is right. */
#define NO_VARIABLES(type, get, set)                                                                                   \
    EXPORT int FMI(get)(void *c, const unsigned references[], size_t count, type values[])                             \
    {                                                                                                                  \
        (void)references, (void)values;                                                                                \
        return count ? failed(c, "All variables are real numbers.") : OK;                                              \
    }                                                                                                                  \
    EXPORT int FMI(set)(void *c, const unsigned references[], size_t count, type const values[])                       \
    {                                                                                                                  \
        (void)references, (void)values;                                                                                \
        return count ? failed(c, "All variables are real numbers.") : OK;                                              \
    }
NO_VARIABLES(int, fmi2GetInteger, fmi2SetInteger)
NO_VARIABLES(int, fmi2GetBoolean, fmi2SetBoolean)
NO_VARIABLES(const char *, fmi2GetString, fmi2SetString)

EXPORT int FMI(fmi2GetFMUstate)(void *c, void **state)
{
    if (!*state) *state = malloc(sizeof(Moment));
    if (!*state) return failed(c, "There is not enough memory for a state.");
    memcpy(*state, &((Unit *)c)->now, sizeof(Moment));
    return OK;
}

EXPORT int FMI(fmi2SetFMUstate)(void *c, void *state)
{
    memcpy(&((Unit *)c)->now, state, sizeof(Moment));
    return OK;
}

EXPORT int FMI(fmi2FreeFMUstate)(void *c, void **state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

EXPORT int FMI(fmi2SerializedFMUstateSize)(void *c, void *state, size_t *size)
{
    (void)c, (void)state;
    *size = sizeof(Moment);
    return OK;
}

EXPORT int FMI(fmi2SerializeFMUstate)(void *c, void *state, char bytes[], size_t size)
{
    if (size < sizeof(Moment)) return failed(c, "The array for the state is too short.");
    memcpy(bytes, state, sizeof(Moment));
    return OK;
}

EXPORT int FMI(fmi2DeSerializeFMUstate)(void *c, const char bytes[], size_t size, void **state)
{
    if (size < sizeof(Moment)) return failed(c, "The array of the state is too short.");
    if (!*state) *state = malloc(sizeof(Moment));
    if (!*state) return failed(c, "There is not enough memory for a state.");
    memcpy(*state, bytes, sizeof(Moment));
    return OK;
}

EXPORT int FMI(fmi2GetDirectionalDerivative)(void *c, const unsigned unknown[], size_t unknowns, const unsigned known[],
                                             size_t knowns, const double seed[], double sensitivity[])
{
    size_t i, j;
    Moment change;
    memset(&change, 0, sizeof change); /* the model is linear: the derivative along a change is its answer to it */
    for (j = 0; j < knowns; j++) {
        if (known[j] < FIRST_OUTPUT) change.u[known[j]] = seed[j];
        else if (known[j] >= FIRST_STATE && known[j] < FIRST_RATE) change.x[known[j] - FIRST_STATE] = seed[j];
        else return failed(c, "Derivatives are taken by inputs and states.");
    }
    for (i = 0; i < unknowns; i++) {
        if (unknown[i] >= FIRST_OUTPUT && unknown[i] < FIRST_STATE)
            sensitivity[i] = output(&change, (int)unknown[i] - FIRST_OUTPUT);
        else if (unknown[i] >= FIRST_RATE && unknown[i] < FIRST_RATE + STATES)
            sensitivity[i] = rate(&change, (int)unknown[i] - FIRST_RATE);
        else return failed(c, "Derivatives are those of outputs and of rates of states.");
    }
    return OK;
}

/* Co-simulation */

EXPORT int FMI(fmi2SetRealInputDerivatives)(void *c, const unsigned references[], size_t count, const int orders[],
                                            const double values[])
{
    Unit *unit = c;
    size_t k;
    for (k = 0; k < count; k++) {
        if (references[k] >= FIRST_OUTPUT || orders[k] != 1) return failed(unit, "Inputs have first derivatives.");
        unit->now.slope[references[k]] = values[k];
    }
    return OK;
}

EXPORT int FMI(fmi2GetRealOutputDerivatives)(void *c, const unsigned references[], size_t count, const int orders[],
                                             double values[])
{
    (void)references, (void)orders, (void)values;
    return count ? failed(c, "Derivatives of outputs are not given.") : OK;
}

EXPORT int FMI(fmi2DoStep)(void *c, double time, double step, int no_setting_back)
{
    Unit *unit = c;
    Moment *now = &unit->now;
    double next[STATES], rest;
    int i, j;
    (void)no_setting_back;
    /* Lengths that differ by round-off of the times share their factors; what is left is a step along the rates. */
    if (!(fabs(step - unit->step) <= 1e-9 * fabs(step)) && prepare(unit, step) != OK) return ERROR;
    rest = step - unit->step;
    for (i = 0; i < STATES; i++) {
        const double *row = unit->factors + i * SIZE;
        double sum = 0.0;
        for (j = 0; j < STATES; j++) sum += row[j] * now->x[j];
        for (j = 0; j < INPUTS; j++)
            sum += row[STATES + j] * now->u[j] + row[STATES + INPUTS + j] * unit->step * now->slope[j];
        next[i] = sum;
    }
    memcpy(now->x, next, sizeof next);
    for (j = 0; j < INPUTS; j++) now->u[j] += unit->step * now->slope[j];
    if (rest != 0.0) {
        for (i = 0; i < STATES; i++) next[i] = rest * rate(now, i);
        for (i = 0; i < STATES; i++) now->x[i] += next[i];
        for (j = 0; j < INPUTS; j++) now->u[j] += rest * now->slope[j];
    }
    memset(now->slope, 0, sizeof now->slope);
    now->time = time + step;
    return OK;
}

EXPORT int FMI(fmi2CancelStep)(void *c) { return failed(c, "No step is under way."); }

#define STATUS(name, type)                                                                                             \
    EXPORT int FMI(name)(void *c, int kind, type *value)                                                               \
    {                                                                                                                  \
        (void)c, (void)kind, (void)value;                                                                              \
        return DISCARD;                                                                                                \
    }
STATUS(fmi2GetStatus, int)
STATUS(fmi2GetIntegerStatus, int)
STATUS(fmi2GetBooleanStatus, int)
STATUS(fmi2GetStringStatus, const char *)

EXPORT int FMI(fmi2GetRealStatus)(void *c, int kind, double *value)
{
    enum { LAST_SUCCESSFUL_TIME = 2 };
    if (kind != LAST_SUCCESSFUL_TIME) return DISCARD;
    *value = ((Unit *)c)->now.time;
    return OK;
}

/* Model exchange */

EXPORT int FMI(fmi2EnterEventMode)(void *c) { return (void)c, OK; }

EXPORT int FMI(fmi2NewDiscreteStates)(void *c, Events *events)
{
    (void)c;
    memset(events, 0, sizeof *events);
    return OK;
}

EXPORT int FMI(fmi2EnterContinuousTimeMode)(void *c) { return (void)c, OK; }

EXPORT int FMI(fmi2CompletedIntegratorStep)(void *c, int no_setting_back, int *enter_event_mode, int *terminate)
{
    (void)c, (void)no_setting_back;
    *enter_event_mode = *terminate = 0;
    return OK;
}

EXPORT int FMI(fmi2SetTime)(void *c, double time)
{
    ((Unit *)c)->now.time = time;
    return OK;
}

EXPORT int FMI(fmi2SetContinuousStates)(void *c, const double x[], size_t count)
{
    if (count != STATES) return failed(c, "The number of states is another one.");
    memcpy(((Unit *)c)->now.x, x, sizeof(double) * STATES);
    return OK;
}

EXPORT int FMI(fmi2GetDerivatives)(void *c, double rates[], size_t count)
{
    size_t k;
    if (count != STATES) return failed(c, "The number of states is another one.");
    for (k = 0; k < count; k++) rates[k] = rate(&((Unit *)c)->now, (int)k);
    return OK;
}

EXPORT int FMI(fmi2GetEventIndicators)(void *c, double indicators[], size_t count)
{
    (void)indicators;
    return count ? failed(c, "There are no event indicators.") : OK;
}

EXPORT int FMI(fmi2GetContinuousStates)(void *c, double x[], size_t count)
{
    if (count != STATES) return failed(c, "The number of states is another one.");
    memcpy(x, ((Unit *)c)->now.x, sizeof(double) * STATES);
    return OK;
}

EXPORT int FMI(fmi2GetNominalsOfContinuousStates)(void *c, double nominals[], size_t count)
{
    size_t k;
    if (count != STATES) return failed(c, "The number of states is another one.");
    for (k = 0; k < count; k++) nominals[k] = 1.0;
    return OK;
}
