"""What studies of reduction bases share: bodies with other bases, their errors, and advice."""
