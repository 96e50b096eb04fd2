import React, { createContext, useContext, useState } from 'react';

interface BasketContextType {
  items: string[];
  addItem: (item: string) => void;
}

const BasketContext = createContext<BasketContextType | undefined>(undefined);

export const BasketProvider = ({ children }: { children: React.ReactNode }) => {
  const [items, setItems] = useState<string[]>([]);
  const addItem = (item: string) => setItems((prev) => [...prev, item]);

  return <BasketContext.Provider value={{ items, addItem }}>{children}</BasketContext.Provider>;
};

export const useBasket = () => {
  const context = useContext(BasketContext);
  if (!context) {
    throw new Error('useBasket must be used within a BasketProvider');
  }
  return context;
};
