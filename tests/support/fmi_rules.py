"""Rules of importers of FMUs (FMI 2), read in the sources of OMSimulator and its fmi4c: what they refuse or misread."""

from xml.etree.ElementTree import Element

FUNCTIONS = [
    "GetVersion",
    "GetTypesPlatform",
    "SetDebugLogging",
    "Instantiate",
    "FreeInstance",
    "SetupExperiment",
    "Terminate",
    "Reset",
    "EnterInitializationMode",
    "ExitInitializationMode",
    "GetReal",
    "SetReal",
    "GetInteger",
    "SetInteger",
    "GetBoolean",
    "SetBoolean",
    "GetString",
    "SetString",
    "GetFMUstate",
    "SetFMUstate",
    "FreeFMUstate",
    "SerializedFMUstateSize",
    "SerializeFMUstate",
    "DeSerializeFMUstate",
    "GetDirectionalDerivative",
    "SetRealInputDerivatives",
    "GetRealOutputDerivatives",
    "DoStep",
    "CancelStep",
    "GetStatus",
    "GetRealStatus",
    "GetIntegerStatus",
    "GetBooleanStatus",
    "GetStringStatus",
]
"""All are loaded for co-simulation, whether they are called or not; one that is missing fails the whole unit."""
MODEL_EXCHANGE = [
    "EnterEventMode",
    "NewDiscreteStates",
    "EnterContinuousTimeMode",
    "CompletedIntegratorStep",
    "SetTime",
    "SetContinuousStates",
    "GetDerivatives",
    "GetEventIndicators",
    "GetContinuousStates",
    "GetNominalsOfContinuousStates",
]
"""Those of model exchange."""


def broken_rules(root: Element) -> list[str]:
    """Return a sentence for each rule that a model description breaks."""
    found = []
    variables = root.findall("ModelVariables/ScalarVariable")
    units = {unit.get("name") for unit in root.findall("UnitDefinitions/Unit")}
    if not root.get("guid"):
        found.append("Units are told apart by their GUID, and there is none.")
    if len({v.get("valueReference") for v in variables}) != len(variables):
        found.append("Two variables share a reference.")
    states = set()
    for index, variable in enumerate(variables, 1):
        real, name = variable.find("Real"), variable.get("name")
        if variable.get("causality") == "input" and not real.get("start"):
            found.append(f"Input {name} has no start value.")
        if real.get("unit") and real.get("unit") not in units:
            found.append(f"The unit of {name} is not defined.")
        if derivative := int(real.get("derivative", 0)):
            states |= {derivative, index}
            if variables[derivative - 1].get("variability") != "continuous":
                found.append(f"{name} is the derivative of no continuous state.")
    wanted = [
        index for index, v in enumerate(variables, 1)
        if v.get("initial") in ("approx", "calculated")
        and (v.get("causality") in ("output", "calculatedParameter") or index in states)
    ]  # fmt: skip
    listed = [int(each.get("index")) for each in root.findall("ModelStructure/InitialUnknowns/Unknown")]
    if listed != wanted:
        found.append(
            "Initial unknowns are not exactly the calculated outputs, states and derivatives, in order."
        )
    outputs = [index for index, v in enumerate(variables, 1) if v.get("causality") == "output"]
    if [int(each.get("index")) for each in root.findall("ModelStructure/Outputs/Unknown")] != outputs:
        found.append("Outputs are matched with their dependencies by order, and theirs is another one.")
    for unknown in root.iter("Unknown"):
        on = [int(word) for word in (unknown.get("dependencies") or "").split()]
        if not all(1 <= index <= len(variables) for index in on):
            found.append(f"Unknown {unknown.get('index')} depends on variables that there are not.")
    return found
