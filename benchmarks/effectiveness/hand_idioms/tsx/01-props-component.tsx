import React from 'react';
import styles from './TicketCard.module.css';

interface TicketCardProps {
  title: string;
  price: number;
  disabled?: boolean;
  onSelect: (title: string) => void;
}

const TicketCard: React.FC<TicketCardProps> = ({ title, price, disabled = false, onSelect }) => {
  const handleClick = () => {
    onSelect(title);
  };

  return (
    <button className={styles.card} disabled={disabled} onClick={handleClick}>
      <h3>{title}</h3>
      <span>{price}</span>
    </button>
  );
};

export default TicketCard;
